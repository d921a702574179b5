import { Injectable } from '@nestjs/common';
import { and, asc, desc, eq, getTableColumns, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { Database } from '../platform/database/database.js';
import { deadLetters } from '../platform/queue/dead-letters/dead-letters.table.js';
import { jobRuns, spanOf } from '../platform/queue/runs/job-runs.table.js';
import type { RunOutcome, RunRow } from './run-view.js';

export interface WantedRuns {
  queue?: string | undefined;
  subject?: string | undefined;
  /** Any of these. */
  outcomes?: RunOutcome[] | undefined;
  before?: string | undefined;
  limit: number;
}

/** The history of runs. */
@Injectable()
export class RunsStore {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  async list({ queue, subject, outcomes, before, limit }: WantedRuns): Promise<RunRow[]> {
    return this.database.db
      .select({ ...getTableColumns(jobRuns), deadLetterId })
      .from(jobRuns)
      .where(
        and(
          queue === undefined ? undefined : eq(jobRuns.queue, queue),
          subject === undefined ? undefined : and(inAnySpan, eq(jobRuns.subject, subject)),
          outcomes && inArray(jobRuns.outcome, outcomes),
          before === undefined ? undefined : lt(jobRuns.id, before),
        ),
      )
      .orderBy(desc(jobRuns.id))
      .limit(limit);
  }
}

const span = spanOf(jobRuns.id);
const spanOfFirst = (order: SQL) => sql`(SELECT ${span} FROM ${jobRuns} ORDER BY ${order} LIMIT 1)`;
const [oldest, newest] = [spanOfFirst(asc(jobRuns.id)), spanOfFirst(desc(jobRuns.id))];
/** Says nothing, but lets the index of subjects be used. */
const inAnySpan = sql`${span} = ANY(ARRAY(SELECT generate_series(${oldest}, ${newest})))`;

const deadLetterId = sql<string | null>`CASE WHEN ${jobRuns.outcome} = 'failed' THEN (
  SELECT max(letter.id) FROM ${deadLetters} AS letter
  WHERE letter.queue = ${jobRuns.queue} AND letter.subject = ${jobRuns.subject}
) END`;
