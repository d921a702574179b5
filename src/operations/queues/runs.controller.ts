import { Controller, Get, Query } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { AdminOnly } from '../../auth/keys/needs.js';
import { listQuery, page, pageOf } from '../../platform/api/list-query.js';
import { Id, Text } from '../../platform/database/columns.js';
import { RunsStore } from '../../platform/queue/runs/runs.store.js';
import { RunOutcome, RunView, toRunView } from './run-view.js';

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
