import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { CurrentUser, type User } from '../../auth/users/user.js';
import { listQuery, page, pageOf } from '../../platform/api/list-query.js';
import { Id } from '../../platform/database/columns.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { OUR_MISTAKE } from '../../platform/jobs/job-handler.js';
import { type RunRow, RunsStore } from '../../platform/jobs/runs/runs.store.js';
import { SourceViewsStore } from '../../sources/source-views.store.js';
import { FETCH_CAUSES } from './fetch-jobs.js';

const List = listQuery(z.tuple([Id]), {});
type List = z.infer<typeof List>;

const FetchView = z.strictObject({
  id: Id,
  /** Null for fetches that were running during an upgrade. */
  cause: z.enum(FETCH_CAUSES).nullable(),
  result: z.string().nullable(),
  error: z.string().nullable(),
  attempt: z.int(),
  startedAt: z.iso.datetime(),
  ms: z.int(),
  host: z.string().nullable(),
  /** HTTP status and size of the response; null if there was none or a remote worker fetched it. */
  status: z.int().nullable(),
  bytes: z.int().nullable(),
  found: z.int().nullable(),
  new: z.int().nullable(),
  updated: z.int().nullable(),
  /** What a remote worker reported: the posts that the source has, and those that the worker left out. */
  totalAvailable: z.int().nullable(),
  skippedCount: z.int().nullable(),
});
type FetchView = z.infer<typeof FetchView>;

@ApiTags('Sources')
@Controller('sources')
export class FetchesController {
  constructor(
    private readonly sources: SourceViewsStore,
    private readonly runs: RunsStore,
  ) {}

  @Get(':id/fetches')
  @ApiResponse({ status: 200, standardSchema: pageOf(FetchView) })
  async list(
    @CurrentUser() user: User,
    @Param('id', { schema: Id }) id: string,
    @Query({ schema: List }) { limit, cursor }: List,
  ) {
    const seen = await this.sources.find(user.id, id, { evenUnfollowed: user.scope === 'admin' });
    if (!seen) throw new ApiError('not_found', `You follow no source ${id}.`);
    const queue = `fetch-${seen.source.type}`;
    const rows = await this.runs.list({ queue, subject: id, before: cursor?.[0], limit: limit + 1 });
    return page(rows.map(toFetchView), limit, (fetch) => [fetch.id]);
  }
}

/** Hides the message of internal errors, which followers must not read. */
function toFetchView(run: RunRow): FetchView {
  const { id, cause, result, reason, attempt, startedAt, ms, target: host, details } = run;
  const number = (name: string) => (typeof details?.[name] === 'number' ? details[name] : null);
  return {
    id,
    result,
    attempt,
    ms,
    host,
    startedAt: startedAt.toISOString(),
    cause: FETCH_CAUSES.find((known) => known === cause) ?? null,
    error: result === 'error' ? OUR_MISTAKE : reason,
    status: number('status'),
    bytes: number('bytes'),
    found: number('found'),
    new: number('new'),
    updated: number('updated'),
    totalAvailable: number('totalAvailable'),
    skippedCount: number('skippedCount'),
  };
}
