import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { CurrentUser, type User } from '../auth/users/user.js';
import { listQuery, page, pageOf } from '../platform/api/list-query.js';
import { Id, Text } from '../platform/database/columns.js';
import { ApiError } from '../platform/errors/api-error.js';
import { ImportContentsStore, type ListedFailure, type ListedFeed, type ListedItem } from './import-contents.store.js';
import { FeedStatus, OUTCOMES, Outcome } from './import-status.js';
import { ItemCounts, time } from './import-view.js';
import { ImportsStore } from './imports.store.js';
import type { ImportRow } from './imports.table.js';
import type { FieldMapping } from './items/field-mapping.js';
import { type FieldQuery, fieldQuery, MAX_VALUE_LENGTH } from './items/field-terms.js';

const ImportFeedView = z.strictObject({
  id: Id,
  url: z.string(),
  sourceId: Id.nullable(),
  status: FeedStatus,
  error: z.string().nullable(),
  items: ItemCounts,
  startedAt: time,
  completedAt: time,
});

/** `<sourceId>#<externalId>`, which identifies an item in all imports. Null if it has no id. */
const identity = z.string().nullable();

const ImportItemView = z.strictObject({
  postId: Id,
  sourceId: Id.nullable(),
  externalId: z.string().nullable(),
  identity,
  feedId: Id,
  status: Outcome,
  title: z.string().nullable(),
  url: z.string().nullable(),
  publishedAt: time,
  fields: z.record(z.string(), z.union([z.string(), z.array(z.string())])).nullable(),
});

const FailedItemView = z.strictObject({
  id: Id,
  feedId: Id,
  externalId: z.string().nullable(),
  identity,
  /** Position in its page, from 1. */
  place: z.int(),
  reason: z.string(),
  failedAt: z.iso.datetime(),
  /** Null while a replay is running or if it was discarded. */
  deadLetterId: Id.nullable(),
});

const PREFIX = 'field.';

const Value = Text.max(MAX_VALUE_LENGTH + 1, `at most ${MAX_VALUE_LENGTH} characters`);

/** Accepts `field.<name>` once or several times, beside the usual list parameters. */
const ItemsQuery = listQuery(z.tuple([Id]), {
  status: z.enum([...OUTCOMES, 'failed']).optional(),
  feed: Id.optional(),
})
  .catchall(z.union([Value, z.array(Value)], { error: `up to ${MAX_VALUE_LENGTH} characters` }))
  .transform(({ limit, cursor, status, feed, ...others }, context) => {
    const keys = Object.keys(others).filter((key) => !key.startsWith(PREFIX));
    if (keys.length) context.addIssue({ code: 'unrecognized_keys', keys, input: others });
    const fields = Object.entries(others).flatMap(([key, values]) =>
      [values as string | string[]].flat().map((value) => ({ name: key.slice(PREFIX.length), value })),
    );
    return { limit, cursor, status, feed, fields };
  });

const FeedList = listQuery(z.tuple([Id]), { status: FeedStatus.optional() });
type FeedList = z.infer<typeof FeedList>;

const FIELD = {
  name: 'field.name',
  required: false,
  type: 'string',
  description:
    'For each field of the import, by its name: its value, whatever the case; with `*` at the end, its beginning',
};

@ApiTags('Imports')
@Controller('imports/:id')
export class ImportContentsController {
  constructor(
    private readonly imports: ImportsStore,
    private readonly contents: ImportContentsStore,
  ) {}

  @Get('feeds')
  @ApiResponse({ status: 200, standardSchema: pageOf(ImportFeedView) })
  async feeds(
    @CurrentUser() user: User,
    @Param('id', { schema: Id }) id: string,
    @Query({ schema: FeedList }) { limit, cursor, status }: FeedList,
  ) {
    await this.existing(user, id);
    const rows = await this.contents.feeds(id, { status, after: cursor?.[0], limit: limit + 1 });
    return page(rows.map(toFeedView), limit, (feed) => [feed.id]);
  }

  @Get('items')
  @ApiQuery(FIELD)
  @ApiResponse({ status: 200, standardSchema: pageOf(z.union([ImportItemView, FailedItemView])) })
  async items(
    @CurrentUser() user: User,
    @Param('id', { schema: Id }) id: string,
    @Query({ schema: ItemsQuery }) query: ItemsQuery,
  ) {
    const { limit, cursor, status, feed: feedId } = query;
    const fields = fieldQueries(query, (await this.existing(user, id)).fields);
    const wanted = { importId: id, feedId, after: cursor?.[0], limit: limit + 1 };
    if (status === 'failed') {
      const rows = await this.contents.failures(wanted);
      return page(rows.map(toFailedItemView), limit, (item) => [item.id]);
    }
    const rows = await this.contents.items({ ...wanted, outcome: status, fields });
    return page(rows.map(toItemView), limit, ({ postId }) => [postId]);
  }

  private async existing(user: User, id: string): Promise<ImportRow> {
    const found = await this.imports.findRow(user.id, id);
    if (!found) throw new ApiError('not_found', `You have no import ${id}.`);
    return found;
  }
}

type ItemsQuery = z.output<typeof ItemsQuery>;

function fieldQueries({ status, fields }: ItemsQuery, mapping: FieldMapping | null): FieldQuery[] {
  const names = Object.keys(mapping ?? {});
  const errors = fields
    .filter(({ name }) => status === 'failed' || !names.includes(name))
    .map(({ name }) => ({ path: `${PREFIX}${name}`, message: whyNot(status, names) }));
  if (!errors.length) return fields.map(({ name, value }) => fieldQuery(name, value));
  const detail = errors.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new ApiError('validation_failed', detail, { errors });
}

function whyNot(status: ItemsQuery['status'], names: string[]): string {
  if (status === 'failed') return 'what failed has no fields';
  return names.length ? `not a field of this import, which has ${names.join(', ')}` : 'this import has no fields';
}

function toFeedView(feed: ListedFeed): z.infer<typeof ImportFeedView> {
  const { id, url, sourceId, status, error, items, startedAt, completedAt } = feed;
  return {
    id,
    url,
    sourceId,
    status,
    error,
    items,
    startedAt: startedAt?.toISOString() ?? null,
    completedAt: completedAt?.toISOString() ?? null,
  };
}

function toItemView(item: ListedItem): z.infer<typeof ImportItemView> {
  const { postId, sourceId, externalId, feedId, outcome, title, url, publishedAt, fields } = item;
  return {
    postId,
    sourceId,
    externalId,
    identity: identityOf(sourceId, externalId),
    feedId,
    status: outcome,
    title,
    url,
    publishedAt: publishedAt?.toISOString() ?? null,
    fields,
  };
}

function toFailedItemView(item: ListedFailure): z.infer<typeof FailedItemView> {
  const { id, feedId, sourceId, externalId, place, reason, failedAt, deadLetterId } = item;
  return {
    id,
    feedId,
    externalId,
    identity: identityOf(sourceId, externalId),
    place,
    reason,
    failedAt: failedAt.toISOString(),
    deadLetterId,
  };
}

const identityOf = (sourceId: string | null, externalId: string | null) =>
  sourceId && externalId !== null ? `${sourceId}#${externalId}` : null;
