import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiConsumes, ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ChangesNeed } from '../../auth/keys/needs.js';
import { CurrentUser, type User } from '../../auth/users/user.js';
import { readIdempotencyKey, TakesIdempotencyKey } from '../../platform/api/idempotency-key.js';
import { listQuery, page, pageOf } from '../../platform/api/list-query.js';
import { LargeBody, TableBody } from '../../platform/api/request-bodies.js';
import { Id } from '../../platform/database/columns.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { BulkBody, linesOf } from './bulk-lines.js';
import { BulkPublications, BulkView } from './bulk-publications.js';
import { CreatePublications } from './create-publications.js';
import { PublicationDecisions } from './publication-decisions.js';
import { PublicationEdits } from './publication-edits.js';
import { NewPublication, PublicationChange, Resolution } from './publication-requests.js';
import { Priority, PublicationStatus } from './publication-status.js';
import { PublicationView, PublicationViews } from './publication-view.js';
import { PublicationsStore } from './publications.store.js';
import type { Publication } from './publications.table.js';

const time = z.iso.datetime({ offset: true }).optional();
const Newest = z.tuple([Id]);
const Due = z.tuple([z.iso.datetime(), Id]);
const List = listQuery(z.union([Newest, Due]), {
  status: PublicationStatus.optional(),
  account: Id.optional(),
  priority: Priority.optional(),
  /** `to` is exclusive. */
  from: time,
  to: time,
  order: z.enum(['newest', 'due']).default('newest'),
}).refine(({ order, cursor }) => !cursor || (order === 'due') === (cursor.length === 2), {
  path: ['cursor'],
  error: 'not a cursor of this list',
});
type List = z.infer<typeof List>;

/** Enough bytes for the longest text and 50 addresses of files. */
const MAX_BYTES = 1_048_576;

/** Enough for 10,000 posts of 1,600 bytes each. */
const MAX_BULK_BYTES = 16 * 1_048_576;

const Several = z.strictObject({ items: z.array(PublicationView) });
@ApiTags('Publications')
@ChangesNeed('publish')
@Controller('publications')
export class PublicationsController {
  constructor(
    private readonly publications: CreatePublications,
    private readonly bulk: BulkPublications,
    private readonly edits: PublicationEdits,
    private readonly decisions: PublicationDecisions,
    private readonly store: PublicationsStore,
    private readonly views: PublicationViews,
  ) {}

  @Post()
  @HttpCode(202)
  @LargeBody({ maxBytes: MAX_BYTES })
  @TakesIdempotencyKey()
  @ApiResponse({ status: 202, standardSchema: z.union([PublicationView, Several]) })
  async create(
    @CurrentUser() user: User,
    @Body({ schema: NewPublication }) requested: NewPublication,
    @Headers('idempotency-key') key: string | undefined,
  ) {
    const made = await this.publications.create(user.id, requested, readIdempotencyKey(key));
    const items = await this.views.all(made);
    return requested.accountIds === undefined ? items[0] : { items };
  }

  @Post('bulk')
  @HttpCode(202)
  @TableBody({ maxBytes: MAX_BULK_BYTES })
  @TakesIdempotencyKey()
  @ApiConsumes('application/json', 'text/csv')
  @ApiResponse({ status: 202, standardSchema: BulkView })
  async createAll(
    @CurrentUser() user: User,
    @Body({ schema: BulkBody }) body: BulkBody,
    @Headers('idempotency-key') key: string | undefined,
  ) {
    return this.bulk.create(user.id, linesOf(body), readIdempotencyKey(key));
  }

  @Get()
  @ApiResponse({ status: 200, standardSchema: pageOf(PublicationView) })
  async list(@CurrentUser() user: User, @Query({ schema: List }) { limit, cursor, account, order, ...query }: List) {
    const { status, priority, from, to } = query;
    const rows = await this.store.list(user.id, {
      status,
      priority,
      accountId: account,
      limit: limit + 1,
      from: from === undefined ? from : new Date(from),
      to: to === undefined ? to : new Date(to),
      ...(order === 'due' ? { order, after: Due.optional().parse(cursor) } : { order, before: cursor?.[0] }),
    });
    const { items, nextCursor } = page(rows, limit, ({ id, scheduledAt }) =>
      order === 'due' ? [scheduledAt, id] : [id],
    );
    return { items: await this.views.all(items), nextCursor };
  }

  @Get(':id')
  @ApiResponse({ status: 200, standardSchema: PublicationView })
  async read(@CurrentUser() user: User, @Param('id', { schema: Id }) id: string) {
    return this.views.one(await this.existing(user, id));
  }

  @Patch(':id')
  @LargeBody({ maxBytes: MAX_BYTES })
  @ApiResponse({ status: 200, standardSchema: PublicationView })
  async change(
    @CurrentUser() user: User,
    @Param('id', { schema: Id }) id: string,
    @Body({ schema: PublicationChange }) change: PublicationChange,
  ) {
    return this.views.one(await this.edits.change(await this.existing(user, id), change));
  }

  @Delete(':id')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: PublicationView })
  async cancel(@CurrentUser() user: User, @Param('id', { schema: Id }) id: string) {
    return this.views.one(await this.decisions.cancel(await this.existing(user, id)));
  }

  @Post(':id/publish-now')
  @HttpCode(202)
  @ApiResponse({ status: 202, standardSchema: PublicationView })
  async publishNow(@CurrentUser() user: User, @Param('id', { schema: Id }) id: string) {
    return this.views.one(await this.decisions.publishNow(await this.existing(user, id)));
  }

  @Post(':id/resolve')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: PublicationView })
  async resolve(
    @CurrentUser() user: User,
    @Param('id', { schema: Id }) id: string,
    @Body({ schema: Resolution }) resolution: Resolution,
  ) {
    return this.views.one(await this.decisions.resolve(await this.existing(user, id), resolution));
  }

  /** The dead letter of a retried publication counts as replayed. */
  @Post(':id/retry')
  @HttpCode(202)
  @ApiResponse({ status: 202, standardSchema: PublicationView })
  async retry(@CurrentUser() user: User, @Param('id', { schema: Id }) id: string) {
    return this.views.one(await this.decisions.retry(await this.existing(user, id)));
  }

  private async existing(user: User, id: string): Promise<Publication> {
    const found = await this.store.find(user.id, id);
    if (!found) throw new ApiError('not_found', `You have no publication ${id}.`);
    return found;
  }
}
