import { Controller, Get, Query } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { AdminOnly } from '../../auth/keys/needs.js';
import { listQuery, page, pageOf } from '../../platform/api/list-query.js';
import { Id, Text } from '../../platform/database/columns.js';
import { OUTCOME_NAMES } from '../../platform/queue/runs/ended-run.js';
import { type RunRow, RunsStore } from '../../platform/queue/runs/runs.store.js';

const RunOutcome = z.enum(OUTCOME_NAMES);

/** What clients see of a run that has ended. */
export const RunView = z.strictObject({
  id: Id,
  queue: z.string(),
  feature: z.string(),
  jobId: z.string(),
  /** What the job was about: the id of its row, or the key it was enqueued under. */
  subject: z.string(),
  attempt: z.int(),
  /** `failed` is for good, `retried` will be tried again. */
  outcome: RunOutcome,
  /** What came of the work, as its feature names it; null if nothing was done or tried. */
  result: z.string().nullable(),
  /** Who had it run, such as `schedule` or `reader`, where that is recorded. */
  cause: z.string().nullable(),
  /** Whom the work depended on, such as the host that was asked. */
  target: z.string().nullable(),
  /** What it brought. */
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).nullable()).nullable(),
  /** Why it failed or was put off. */
  reason: z.string().nullable(),
  startedAt: z.iso.datetime(),
  ms: z.int(),
  /** Since it was to run; null of one that was put off or tried again. */
  waitedMs: z.int().nullable(),
  /** Host and process id. */
  worker: z.string(),
  /** Of a run that failed for good: the newest dead letter of what it was about. */
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
  /** Several, with commas between them, are any of them: `failed,retried`. */
  outcome: Outcomes.optional(),
  /** In the same way: `source_error,failed`. */
  result: Results.optional(),
  feature: Text.min(1).optional(),
  /** Only those whose work failed, whatever the outcome of the run. */
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

  /** The history of runs, newest first. */
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
