import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiConsumes, ApiOkResponse, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { CurrentUser, type User } from '../auth/users/user.js';
import { listQuery, page, pageOf } from '../platform/api/list-query.js';
import { DocumentBody } from '../platform/api/request-bodies.js';
import { Id } from '../platform/database/columns.js';
import { ApiError } from '../platform/errors/api-error.js';
import { ImportStatus } from './import-status.js';
import { ImportView, toImportView } from './import-view.js';
import { type Import, ImportsStore } from './imports.store.js';
import { LiveImports } from './live-imports.js';
import { ImportBody, ImportQuery, optionsOf } from './new-import.js';
import { StartImport } from './start-import.js';

const MAX_BYTES = 32 * 1_048_576;

const List = listQuery(z.tuple([Id]), { status: ImportStatus.optional() });
type List = z.infer<typeof List>;

const Rerun = z.strictObject({ only: z.literal('failed').optional() }).default({});
type Rerun = z.infer<typeof Rerun>;

const EVENTS = 'Server-sent events: `import` with the import, now and after every change. Ends with the import.';

@ApiTags('Imports')
@Controller('imports')
export class ImportsController {
  constructor(
    private readonly starter: StartImport,
    private readonly store: ImportsStore,
    private readonly live: LiveImports,
  ) {}

  @Post('start')
  @HttpCode(202)
  @DocumentBody({ maxBytes: MAX_BYTES })
  @ApiConsumes('application/json', 'text/x-opml', 'application/xml', 'text/xml')
  @ApiResponse({ status: 202, standardSchema: ImportView })
  async start(
    @CurrentUser() user: User,
    @Body({ schema: ImportBody }) body: ImportBody,
    @Query({ schema: ImportQuery }) query: ImportQuery,
  ) {
    const wanted = { userId: user.id, ...optionsOf(body, query) };
    const { feeds, opml = '' } = body;
    return toImportView(await (feeds ? this.starter.ofFeeds(wanted, feeds) : this.starter.ofOpml(wanted, opml)));
  }

  @Get()
  @ApiResponse({ status: 200, standardSchema: pageOf(ImportView) })
  async list(@CurrentUser() user: User, @Query({ schema: List }) { limit, cursor, status }: List) {
    const rows = await this.store.list(user.id, { status, before: cursor?.[0], limit: limit + 1 });
    return page(rows.map(toImportView), limit, ({ id }) => [id]);
  }

  @Get(':id')
  @ApiResponse({ status: 200, standardSchema: ImportView })
  async read(@CurrentUser() user: User, @Param('id', { schema: Id }) id: string) {
    return toImportView(await this.existing(user, id));
  }

  @Get(':id/stream')
  @ApiProduces('text/event-stream')
  @ApiOkResponse({ description: EVENTS, schema: { type: 'string' } })
  async watch(
    @CurrentUser() user: User,
    @Param('id', { schema: Id }) id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.existing(user, id);
    this.live.open({ topic: id, owner: user.id }, { request, reply });
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: ImportView })
  async cancel(@CurrentUser() user: User, @Param('id', { schema: Id }) id: string) {
    await this.existing(user, id);
    const cancelled = await this.store.cancel(id);
    if (!cancelled) throw new ApiError('already_ended', `The import ${id} has ended.`);
    return toImportView(await this.existing(user, id));
  }

  @Post(':id/rerun')
  @HttpCode(202)
  @ApiResponse({ status: 202, standardSchema: ImportView })
  async rerun(
    @CurrentUser() user: User,
    @Param('id', { schema: Id }) id: string,
    @Body({ schema: Rerun }) { only }: Rerun,
  ) {
    return toImportView(await this.starter.again(await this.existing(user, id), only));
  }

  private async existing(user: User, id: string): Promise<Import> {
    const found = await this.store.find(user.id, id);
    if (!found) throw new ApiError('not_found', `You have no import ${id}.`);
    return found;
  }
}
