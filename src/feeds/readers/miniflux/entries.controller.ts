import { Body, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { z } from 'zod';
import { CurrentUser, type User } from '../../../auth/users/user.js';
import { AssumedBody } from '../../../platform/api/request-bodies.js';
import { RequestParameters } from '../../../platform/api/request-parameters.js';
import { Id } from '../../../platform/database/columns.js';
import { ReaderItems } from '../core/reader-items.js';
import { entriesRequest } from './entry-filter.js';
import { badRequest, bodyOf, MinifluxApi, notFound } from './miniflux-api.js';
import { MinifluxEntries } from './miniflux-entries.js';
import { enclosuresOf, itemOfEnclosure } from './to-entry.js';

const MAX_IDS = 10_000;
const MAX_CHANGE_BYTES = 200_000;

const Changes = bodyOf(
  z.object({
    entry_ids: z.array(z.int().min(0)).min(1).max(MAX_IDS),
    status: z.string().optional(),
    starred: z.boolean().optional(),
  }),
);
type Changes = z.infer<typeof Changes>;

@MinifluxApi()
export class EntriesController {
  constructor(
    private readonly entries: MinifluxEntries,
    private readonly items: ReaderItems,
  ) {}

  @Get('entries')
  list(@CurrentUser() { id }: User, @RequestParameters() parameters: URLSearchParams) {
    return this.entries.page(id, entriesRequest(parameters));
  }

  @Get('entries/ids')
  listIds(@CurrentUser() { id }: User, @RequestParameters() parameters: URLSearchParams) {
    return this.entries.ids(id, entriesRequest(parameters, MAX_IDS));
  }

  @Get('feeds/:id/entries')
  ofFeed(
    @CurrentUser() { id: userId }: User,
    @Param('id', { schema: Id }) id: string,
    @RequestParameters() parameters: URLSearchParams,
  ) {
    return this.entries.page(userId, { ...entriesRequest(parameters), feedId: id });
  }

  @Get('categories/:id/entries')
  ofCategory(
    @CurrentUser() { id: userId }: User,
    @Param('id', { schema: Id }) id: string,
    @RequestParameters() parameters: URLSearchParams,
  ) {
    return this.entries.page(userId, { ...entriesRequest(parameters), categoryId: Number(id) });
  }

  @Get(['entries/:id', 'feeds/:feedId/entries/:id', 'categories/:categoryId/entries/:id'])
  async read(@CurrentUser() { id: userId }: User, @Param('id', { schema: Id }) id: string) {
    return (await this.entries.find(userId, id)) ?? refuseUnknown();
  }

  @Put('entries')
  @HttpCode(204)
  @AssumedBody('json', { maxBytes: MAX_CHANGE_BYTES })
  async change(@CurrentUser() { id }: User, @Body({ schema: Changes }) { entry_ids, status, starred }: Changes) {
    if (status === undefined && starred === undefined) throw badRequest('status or starred is required');
    if (status !== undefined && status !== 'read' && status !== 'unread') throw badRequest('invalid entry status');
    const ids = entry_ids.filter((entryId) => entryId > 0).map(String);
    if (status !== undefined) await this.items.markRead(id, ids, status === 'read');
    if (starred !== undefined) await this.items.star(id, ids, starred);
  }

  @Put(['entries/:id/bookmark', 'entries/:id/star'])
  @HttpCode(204)
  @AssumedBody('json')
  async toggleStar(@CurrentUser() { id: userId }: User, @Param('id', { schema: Id }) id: string) {
    const [item] = await this.items.findItems(userId, [id]);
    if (!item) throw notFound();
    await this.items.star(userId, [id], !item.starred);
  }

  /** Miniflux passes entries on to other services here, of which there are none. */
  @Post('entries/:id/save')
  @AssumedBody('json')
  save(@Param('id', { schema: Id }) _id: string) {
    throw badRequest('no third-party integration enabled');
  }

  /** The content is all that the feed has. */
  @Get('entries/:id/fetch-content')
  async fetchContent(@CurrentUser() { id: userId }: User, @Param('id', { schema: Id }) id: string) {
    const entry = (await this.entries.find(userId, id)) ?? refuseUnknown();
    return { content: entry.content, reading_time: entry.reading_time };
  }

  @Get('enclosures/:id')
  enclosure(@CurrentUser() { id: userId }: User, @Param('id', { schema: Id }) id: string) {
    return this.findEnclosure(userId, id);
  }

  /** The position in a recording is not stored, and clients keep it themselves as well. */
  @Put('enclosures/:id')
  @HttpCode(204)
  @AssumedBody('json')
  async changeEnclosure(@CurrentUser() { id: userId }: User, @Param('id', { schema: Id }) id: string) {
    await this.findEnclosure(userId, id);
  }

  private async findEnclosure(userId: string, id: string) {
    const [item] = await this.items.findItems(userId, [itemOfEnclosure(id)]);
    const found = item && enclosuresOf(userId, item).find((enclosure) => enclosure.id === Number(id));
    return found ?? refuseUnknown();
  }
}

function refuseUnknown(): never {
  throw notFound();
}
