import { Controller, Get, Query } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { AdminOnly } from '../auth/admin-only.js';
import { listQuery, page, pageOf } from '../platform/api/list-query.js';
import { Id, Text } from '../platform/database/columns.js';
import { RunOutcome, RunView, toRunView } from './run-view.js';
import { RunsStore } from './runs.store.js';

const Outcomes = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(RunOutcome).min(1));

const List = listQuery(z.tuple([Id]), {
  queue: Text.min(1).optional(),
  /** Several, with commas between them, are any of them: `failed,retried`. */
  outcome: Outcomes.optional(),
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
  async list(@Query({ schema: List }) { limit, cursor, outcome, queue, subject }: List) {
    const wanted = { queue, subject, outcomes: outcome, before: cursor?.[0], limit: limit + 1 };
    return page((await this.runs.list(wanted)).map(toRunView), limit, ({ id }) => [id]);
  }
}
