import { Controller, Get, Query } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { AdminOnly } from '../../auth/keys/needs.js';
import { listQuery, page, pageOf } from '../../platform/api/list-query.js';
import { Id, Text } from '../../platform/database/columns.js';
import { OUTCOME_NAMES } from '../../platform/jobs/runs/ended-run.js';
import { type RunRow, RunsStore } from '../../platform/jobs/runs/runs.store.js';

const RunOutcome = z.enum(OUTCOME_NAMES);

export const RunView = z.strictObject({
  id: Id,
  queue: z.string(),
  feature: z.string(),
  jobId: z.string(),
  /** The id of the job's row, or the key it was enqueued under. */
  subject: z.string(),
  attempt: z.int(),
  /** `failed` is final, `retried` will be tried again. */
  outcome: RunOutcome,
  /** The result that the feature reported. Null if nothing was done or tried. */
  result: z.string().nullable(),
  /** The cause of the run, such as `schedule` or `reader`, if it is recorded. */
  cause: z.string().nullable(),
  /** The target that the work depended on, such as a host. */
  target: z.string().nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).nullable()).nullable(),
  reason: z.string().nullable(),
  startedAt: z.iso.datetime(),
  ms: z.int(),
  /** Time between the moment it was due and its start. Null for a run that was postponed or retried. */
  waitedMs: z.int().nullable(),
  /** Host name and process id. */
  worker: z.string(),
  /** For a run that failed for good: the newest dead letter of its subject. */
  deadLetterId: Id.nullable(),
});

const Outcomes = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(RunOutcome).min(1));

const Results = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(Text.min(1)).min(1));

const List = listQuery(z.tuple([Id]), {
  queue: Text.min(1).optional(),
  /** One or more outcomes, separated by commas, such as `failed,retried`. */
  outcome: Outcomes.optional(),
  /** One or more results, separated by commas, such as `source_error,failed`. */
  result: Results.optional(),
  feature: Text.min(1).optional(),
  /** Selects only runs whose work failed, whatever the outcome of the run. */
  failed: z.enum(['true', 'false']).default('false'),
  subject: Text.min(1).optional(),
}).refine(({ queue, subject }) => subject === undefined || queue !== undefined, {
  path: ['queue'],
  error: 'is needed with a subject: what two queues call 17 need not be the same',
});
type List = z.infer<typeof List>;

@ApiTags('Operations')
@AdminOnly()
@Controller('runs')
export class RunsController {
  constructor(private readonly runs: RunsStore) {}

  @Get()
  @ApiResponse({ status: 200, standardSchema: pageOf(RunView) })
  async list(@Query({ schema: List }) { limit, cursor, outcome, result, failed, ...filter }: List) {
    const about = { ...filter, failed: failed === 'true' };
    const wanted = { ...about, outcomes: outcome, results: result, before: cursor?.[0], limit: limit + 1 };
    return page((await this.runs.list(wanted)).map(toRunView), limit, ({ id }) => [id]);
  }
}

export type RunView = z.infer<typeof RunView>;

function toRunView({ workFailed: _, ...row }: RunRow): RunView {
  return { ...row, startedAt: row.startedAt.toISOString() };
}
