import { Injectable } from '@nestjs/common';
import { and, asc, desc, eq, getTableColumns, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { Database } from '../../database/database.js';
import { deadLetters } from '../dead-letters/dead-letters.table.js';
import { JobHandlers } from '../job-handler.js';
import type { OutcomeName } from './ended-run.js';
import { jobRuns, spanOf } from './job-runs.table.js';

interface RunFilter {
  queue?: string | undefined;
  feature?: string | undefined;
  subject?: string | undefined;
  outcomes?: OutcomeName[] | undefined;
  results?: string[] | undefined;
  failed?: boolean | undefined;
  before?: string | undefined;
  limit: number;
}

export type RunRow = typeof jobRuns.$inferSelect & { feature: string; deadLetterId: string | null };

@Injectable()
export class RunsStore {
  constructor(
    private readonly database: Database,
    private readonly handlers: JobHandlers,
  ) {}

  async list({ queue, feature, subject, outcomes, results, failed, before, limit }: RunFilter): Promise<RunRow[]> {
    const rows = await this.database.db
      .select({ ...getTableColumns(jobRuns), deadLetterId })
      .from(jobRuns)
      .where(
        and(
          queue === undefined ? undefined : eq(jobRuns.queue, queue),
          feature === undefined ? undefined : inArray(jobRuns.queue, this.handlers.queuesOf(feature)),
          subject === undefined ? undefined : and(inAnySpan, eq(jobRuns.subject, subject)),
          outcomes && inArray(jobRuns.outcome, outcomes),
          results && inArray(jobRuns.result, results),
          failed || results?.every((result) => this.isFailure(result)) ? jobRuns.workFailed : undefined,
          before === undefined ? undefined : lt(jobRuns.id, before),
        ),
      )
      .orderBy(desc(jobRuns.id))
      .limit(limit);
    return rows.map((row) => ({ ...row, feature: this.featureOf(row.queue) }));
  }

  /** Failures have an index of their own that contains no other results. */
  private isFailure(result: string): boolean {
    const features = this.handlers.all().flatMap(([{ feature }]) => feature ?? []);
    const kinds = features.flatMap(({ results }) => results[result] ?? []);
    return kinds.every((kind) => kind === 'failure') && (kinds.length > 0 || result === 'error');
  }

  private featureOf(queue: string): string {
    return this.handlers.find(queue)?.[0].feature?.name ?? queue;
  }
}

const span = spanOf(jobRuns.id);
const spanOfFirst = (order: SQL) => sql`(SELECT ${span} FROM ${jobRuns} ORDER BY ${order} LIMIT 1)`;
const [oldest, newest] = [spanOfFirst(asc(jobRuns.id)), spanOfFirst(desc(jobRuns.id))];
/** This condition is always true. It lets the planner use the index on subjects. */
const inAnySpan = sql`${span} = ANY(ARRAY(SELECT generate_series(${oldest}, ${newest})))`;

const deadLetterId = sql<string | null>`CASE WHEN ${jobRuns.outcome} = 'failed' THEN (
  SELECT max(letter.id) FROM ${deadLetters} AS letter
  WHERE letter.queue = ${jobRuns.queue} AND letter.subject = ${jobRuns.subject}
) END`;
