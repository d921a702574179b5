import { Controller, Get, Query } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { AdminOnly } from '../auth/keys/needs.js';
import { listQuery, type Page, page, pageOf } from '../platform/api/list-query.js';
import { Id, Text } from '../platform/database/columns.js';
import { redactText } from '../platform/redact.js';
import { AllSourcesStore, AnyState, type ListedSource, Place } from '../sources/all-sources.store.js';
import { SourceCondition } from '../sources/source-condition.js';
import { SourceState } from '../sources/source-state.js';

const time = z.iso.datetime().nullable();

/** A source as operators see it, without anything of a follower. */
const AdminSourceView = z.strictObject({
  id: Id,
  type: z.string(),
  /** Secrets in an address are hidden. */
  externalId: z.string(),
  title: z.string().nullable(),
  /** Host whose limits its requests count against. Null for types that remote workers fetch. */
  host: z.string().nullable(),
  followers: z.int(),
  activeFollowers: z.int(),
  state: SourceState,
  condition: SourceCondition,
  consecutiveFailures: z.int(),
  failingSince: time,
  lastError: z.string().nullable(),
  intervalSeconds: z.int().nullable(),
  nextFetchAt: time,
  lastFetchAt: time,
  lastSuccessAt: time,
  createdAt: z.iso.datetime(),
  /** A path of this server that explains how often the source is fetched. */
  scheduleUrl: z.string(),
});

const Part = Text.trim().min(1).max(200);

const List = listQuery(Place, {
  state: AnyState.optional(),
  type: Text.max(100).optional(),
  host: Text.trim().min(1).max(253).optional(),
  error: Part.optional(),
  q: Part.optional(),
});
type List = z.infer<typeof List>;

@ApiTags('Operations')
@AdminOnly()
@Controller('admin/sources')
export class AllSourcesController {
  constructor(private readonly sources: AllSourcesStore) {}

  /** Lists the sources of all users, those with an error first, most failures in a row at the top. */
  @Get()
  @ApiResponse({ status: 200, standardSchema: pageOf(AdminSourceView) })
  async list(@Query({ schema: List }) { limit, cursor, ...filter }: List): Promise<Page<unknown>> {
    const found = await this.sources.list(filter, { after: cursor, limit: limit + 1 });
    const { items, nextCursor } = page(found, limit, ({ place }) => place);
    return { items: items.map(toView), nextCursor };
  }
}

function toView({ source, state, stateName, condition }: ListedSource) {
  return {
    id: source.id,
    type: source.type,
    externalId: redactText(source.externalId),
    title: source.title,
    host: state.host,
    followers: source.followers,
    activeFollowers: state.activeFollowers,
    state: stateName,
    condition,
    consecutiveFailures: state.failures,
    failingSince: state.failingSince,
    lastError: state.lastError,
    intervalSeconds: state.intervalSeconds,
    nextFetchAt: state.nextFetchAt,
    lastFetchAt: state.lastFetchAt,
    lastSuccessAt: state.lastSuccessAt,
    createdAt: source.createdAt,
    scheduleUrl: `/api/v1/sources/${source.id}/schedule`,
  };
}
