import { Injectable } from '@nestjs/common';
import { lt, sql } from 'drizzle-orm';
import { Database } from '../../platform/database/database.js';
import { jobMinutes } from '../../platform/jobs/job-minutes.table.js';

export const MINUTE_MS = 60_000;
const LATELY_MINUTES = 5;
const KEPT_MS = 7 * 24 * 60 * MINUTE_MS;

export interface JobCounts {
  donePerMinute: number;
  failedPerMinute: number;
  retriedPerMinute: number;
  failedLastHour: number;
  /** Number of runs that ended in the last five minutes. */
  ended: number;
  /** Total duration of those runs. */
  endedMs: number;
}

interface JobMinute {
  at: Date;
  done: number;
  failed: number;
  retried: number;
}

export const startOfMinute = (time: Date) => new Date(Math.floor(time.getTime() / MINUTE_MS) * MINUTE_MS);
const minutesBefore = (time: Date, minutes: number) => new Date(time.getTime() - minutes * MINUTE_MS);

/** Reads the counts of ended runs by minute. */
@Injectable()
export class JobMinutesStore {
  constructor(private readonly database: Database) {}

  /** Returns the counts by queue. Rates cover the current minute so far and the one before. */
  async counts(now: Date): Promise<Map<string, JobCounts>> {
    const minute = startOfMinute(now);
    const rated = minutesBefore(minute, 1).toISOString();
    const lately = minutesBefore(minute, LATELY_MINUTES).toISOString();
    const minutes = (now.getTime() - minute.getTime()) / MINUTE_MS + 1;
    const { rows } = await this.database.db.execute<{ queue: string } & Record<keyof JobCounts, number>>(sql`
      SELECT queue,
        coalesce(sum(count) FILTER (WHERE outcome = 'done' AND minute >= ${rated}), 0)::int AS "donePerMinute",
        coalesce(sum(count) FILTER (WHERE outcome = 'failed' AND minute >= ${rated}), 0)::int AS "failedPerMinute",
        coalesce(sum(count) FILTER (WHERE outcome = 'retried' AND minute >= ${rated}), 0)::int AS "retriedPerMinute",
        coalesce(sum(count) FILTER (WHERE outcome = 'failed'), 0)::int AS "failedLastHour",
        coalesce(sum(count) FILTER (WHERE outcome IN ('done', 'failed', 'retried') AND minute >= ${lately}), 0)::int AS "ended",
        coalesce(sum(total_ms) FILTER (WHERE outcome IN ('done', 'failed', 'retried') AND minute >= ${lately}), 0)::float8 AS "endedMs"
      FROM ${jobMinutes} WHERE minute >= ${minutesBefore(minute, 60).toISOString()} GROUP BY queue`);
    return new Map(
      rows.map(({ queue, donePerMinute, failedPerMinute, retriedPerMinute, ...others }) => [
        queue,
        {
          ...others,
          donePerMinute: donePerMinute / minutes,
          failedPerMinute: failedPerMinute / minutes,
          retriedPerMinute: retriedPerMinute / minutes,
        },
      ]),
    );
  }

  /** Returns minutes in which something ended, oldest first. */
  async series(from: Date): Promise<JobMinute[]> {
    const { rows } = await this.database.db.execute<Omit<JobMinute, 'at'> & { at: string | Date }>(sql`
      SELECT minute AS at,
        coalesce(sum(count) FILTER (WHERE outcome = 'done'), 0)::int AS done,
        coalesce(sum(count) FILTER (WHERE outcome = 'failed'), 0)::int AS failed,
        coalesce(sum(count) FILTER (WHERE outcome = 'retried'), 0)::int AS retried
      FROM ${jobMinutes} WHERE minute >= ${from.toISOString()} GROUP BY minute ORDER BY minute`);
    return rows.map((row) => ({ ...row, at: new Date(row.at) }));
  }

  async forget(now: Date): Promise<void> {
    await this.database.db.delete(jobMinutes).where(lt(jobMinutes.minute, new Date(now.getTime() - KEPT_MS)));
  }
}
