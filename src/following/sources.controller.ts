import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { CurrentUser, type User } from '../auth/users/user.js';
import { Schedules } from '../fetching/schedule/explain-schedule.js';
import { listQuery, page, pageOf } from '../platform/api/list-query.js';
import { Id, Text } from '../platform/database/columns.js';
import { ApiError } from '../platform/errors/api-error.js';
import { UnreadCounts } from '../posts/reading/unread-counts.js';
import { ConditionFilter } from '../sources/source-condition.js';
import { SourceState } from '../sources/source-state.js';
import { type SeenSource, SourceViewsStore } from '../sources/source-views.store.js';
import { Discovery } from './discovery.js';
import { MAX_EXTERNAL_ID_LENGTH } from './feed-lists.js';
import { Folder } from './folder.js';
import { Following } from './following.js';
import { SourceView, toSourceView } from './source-view.js';

const Title = Text.trim().min(1).max(500);
const Address = Text.trim().min(1).max(MAX_EXTERNAL_ID_LENGTH);

const MaxDelay = z.int().min(1).max(1_440);

/** Other names of `externalId`, as people call accounts of social networks. */
const ALIASES = ['username', 'handle'];

function withExternalId(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || 'externalId' in body) return body;
  const [alias, ...others] = ALIASES.filter((name) => Object.hasOwn(body, name));
  if (alias === undefined || others.length) return body;
  const renamed = Object.entries(body).map(([name, value]) => [name === alias ? 'externalId' : name, value]);
  return Object.fromEntries(renamed);
}

const FollowBody = z
  .strictObject({
    type: z.string().max(100).optional(),
    externalId: Address.optional(),
    url: Address.optional(),
    folder: Folder.optional(),
    title: Title.optional(),
    maxDelayMinutes: MaxDelay.nullish(),
  })
  .superRefine(({ type, externalId, url }, context) => {
    const complain = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (url === undefined && type === undefined && externalId === undefined)
      complain('url', 'missing: give an address, or type and externalId');
    else if (url === undefined && type === undefined) complain('type', 'missing beside externalId');
    else if (url === undefined && externalId === undefined) complain('externalId', 'missing beside type');
    else if (url !== undefined && (type ?? externalId) !== undefined)
      complain('url', 'give either an address or type and externalId, not both');
  });
const NewFollow = z.preprocess(withExternalId, FollowBody);
type NewFollow = z.infer<typeof NewFollow>;

const FollowChange = z.strictObject({
  folder: Folder.nullish(),
  title: Title.nullish(),
  maxDelayMinutes: MaxDelay.nullish(),
});
type FollowChange = z.infer<typeof FollowChange>;

/** `maxDelayMinutes: null` removes the preference. */
const MaxDelayChange = FollowChange.required({ maxDelayMinutes: true });

const Search = z.strictObject({ url: Address });
type Search = z.infer<typeof Search>;
const Discovered = pageOf(z.strictObject({ type: z.string(), externalId: z.string(), title: z.string().nullable() }));

const List = listQuery(z.tuple([Id]), {
  state: SourceState.optional(),
  condition: ConditionFilter.optional(),
  type: Text.max(100).optional(),
  folder: Folder.optional(),
  q: Text.trim().min(1).max(200).optional(),
});
type List = z.infer<typeof List>;

/** Users see the sources they follow; admins see all. */
@ApiTags('Sources')
@Controller('sources')
export class SourcesController {
  constructor(
    private readonly following: Following,
    private readonly discovery: Discovery,
    private readonly views: SourceViewsStore,
    private readonly schedules: Schedules,
    private readonly counts: UnreadCounts,
  ) {}

  @Post('follow')
  @HttpCode(202)
  @ApiResponse({ status: 202, standardSchema: SourceView })
  async follow(@CurrentUser() user: User, @Body({ schema: NewFollow }) wanted: NewFollow) {
    const { folder, title, maxDelayMinutes } = wanted;
    const details = { folder, title, maxDelayMinutes };
    const id = await this.following.follow(user.id, { ...(await this.discovery.sourceOf(wanted)), ...details });
    return this.read(user, id);
  }

  @Delete(':id/follow')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Unfollowed' })
  async unfollow(@CurrentUser() user: User, @Param('id', { schema: Id }) id: string) {
    if (!(await this.following.unfollow(user.id, id))) throw notFollowed(id);
  }

  /** Fields that are not given stay unchanged, as with PATCH. */
  @Put(':id/follow')
  @ApiResponse({ status: 200, standardSchema: SourceView })
  async setMaxDelay(
    @CurrentUser() user: User,
    @Param('id', { schema: Id }) id: string,
    @Body({ schema: MaxDelayChange }) change: FollowChange,
  ) {
    return this.change(user, id, change);
  }

  @Patch(':id/follow')
  @ApiResponse({ status: 200, standardSchema: SourceView })
  async change(
    @CurrentUser() user: User,
    @Param('id', { schema: Id }) id: string,
    @Body({ schema: FollowChange }) change: FollowChange,
  ) {
    if (!(await this.following.change(user.id, id, change))) throw notFollowed(id);
    return this.read(user, id);
  }

  @Post('discover')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: Discovered })
  async discover(@Body({ schema: Search }) { url }: Search) {
    return { items: await this.discovery.find(url), nextCursor: null };
  }

  @Get()
  @ApiResponse({ status: 200, standardSchema: pageOf(SourceView) })
  async list(@CurrentUser() user: User, @Query({ schema: List }) { limit, cursor, ...filter }: List) {
    const seen = await this.views.list(user.id, filter, { after: cursor?.[0], limit: limit + 1 });
    return page(await this.toViews(user, seen), limit, ({ id }) => [id]);
  }

  @Get(':id')
  @ApiResponse({ status: 200, standardSchema: SourceView })
  async read(@CurrentUser() user: User, @Param('id', { schema: Id }) id: string) {
    const seen = await this.views.find(user.id, id, { evenUnfollowed: user.scope === 'admin' });
    if (!seen) throw notFollowed(id);
    const [view] = await this.toViews(user, [seen]);
    return view;
  }

  private async toViews(user: User, seen: SeenSource[]) {
    const ids = seen.map(({ source }) => source.id);
    const unread = await this.counts.ofSources(user.id, ids);
    return seen.map((one) =>
      toSourceView(one, {
        explained: this.schedules.explain(one.source, one.state),
        unread: unread.get(one.source.id),
      }),
    );
  }
}

const notFollowed = (id: string) => new ApiError('not_found', `You follow no source ${id}.`);
