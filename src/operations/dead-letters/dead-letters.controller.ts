import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { AdminOnly } from '../../auth/keys/needs.js';
import { listQuery, page } from '../../platform/api/list-query.js';
import { Id } from '../../platform/database/columns.js';
import { ApiError } from '../../platform/errors/api-error.js';
import {
  DeadLetter,
  DeadLetterPage,
  DeadLetterState,
  deadLetterFilter,
  LettersToClose,
  toDeadLetter,
} from './dead-letter.js';
import { DeadLetterReplay, notOpen, type Replayed } from './dead-letter-replay.js';
import { DeadLettersStore } from './dead-letters.store.js';

const List = listQuery(z.tuple([Id]), { state: DeadLetterState.optional(), ...deadLetterFilter });
type List = z.infer<typeof List>;

const Replay = z.strictObject({
  replayed: z.int(),
  refused: z.array(z.strictObject({ id: Id, why: z.string() })),
});
const Discarded = z.strictObject({ discarded: z.int(), refused: Replay.shape.refused });

@ApiTags('Dead letters')
@AdminOnly()
@Controller('dead-letters')
export class DeadLettersController {
  constructor(
    private readonly letters: DeadLettersStore,
    private readonly replays: DeadLetterReplay,
  ) {}

  @Get()
  @ApiResponse({ status: 200, standardSchema: DeadLetterPage })
  async list(@Query({ schema: List }) { limit, cursor, state, ...filter }: List) {
    const rows = await this.letters.list({ ...filter, state }, { before: cursor?.[0], limit: limit + 1 });
    return page(rows.map(toDeadLetter), limit, ({ id }) => [id]);
  }

  @Get(':id')
  @ApiResponse({ status: 200, standardSchema: DeadLetter })
  async read(@Param('id', { schema: Id }) id: string) {
    return toDeadLetter(await this.existing(id));
  }

  @Post(':id/replay')
  @HttpCode(202)
  @ApiResponse({ status: 202, standardSchema: DeadLetter })
  async replay(@Param('id', { schema: Id }) id: string) {
    await this.existing(id);
    const { replayed, refused } = await this.replays.replay([id]);
    if (!replayed) throw new ApiError('dead_letter_closed', refused[0]?.why ?? 'It was replayed or discarded before.');
    return toDeadLetter(await this.existing(id));
  }

  @Post(':id/discard')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: DeadLetter })
  async discard(@Param('id', { schema: Id }) id: string) {
    await this.existing(id);
    if (!(await this.letters.discard([id])).length)
      throw new ApiError('dead_letter_closed', 'It was replayed or discarded before.');
    return toDeadLetter(await this.existing(id));
  }

  @Post('replay')
  @HttpCode(202)
  @ApiResponse({ status: 202, standardSchema: Replay })
  replaySeveral(@Body({ schema: LettersToClose }) { ids, ...filter }: LettersToClose): Promise<Replayed> {
    return ids ? this.replays.replay(ids) : this.replays.replayAll(filter);
  }

  @Post('discard')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: Discarded })
  async discardSeveral(@Body({ schema: LettersToClose }) { ids, ...filter }: LettersToClose) {
    if (!ids) return { discarded: await this.letters.discardAll(filter), refused: [] };
    const discarded = await this.letters.discard(ids);
    return { discarded: discarded.length, refused: notOpen(ids, discarded) };
  }

  private async existing(id: string) {
    const letter = await this.letters.find(id);
    if (!letter) throw new ApiError('not_found', `There is no dead letter ${id}.`);
    return letter;
  }
}
