import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { Database } from '../database/database.js';
import { LOG, type Log } from '../log/log.js';
import { databaseTime } from '../time/database-time.js';
import { jobMinutes } from './job-minutes.table.js';
import { type EndedRun, outcomeName } from './runs/ended-run.js';
import { addToWorkMinutes, WorkTallies } from './work-tallies.js';

const MINUTE_MS = 60_000;

interface Tally {
  minute: number;
  queue: string;
  outcome: string;
  count: number;
  totalMs: number;
}

/** A run only increments a number in memory. One statement adds the numbers to PostgreSQL every few seconds. */
@Injectable()
export class JobStatistics {
  private tallies = new Map<string, Tally>();
  private readonly work = new WorkTallies();

  constructor(
    private readonly database: Database,
    @Inject(LOG) private readonly log: Log,
  ) {}

  count({ queue, outcome, ms, work }: Pick<EndedRun, 'queue' | 'outcome' | 'ms' | 'work'>): void {
    if (work) this.work.count(work);
    const minute = Math.floor(databaseTime.nowMs() / MINUTE_MS);
    this.add({ minute, queue, outcome: outcomeName(outcome), count: 1, totalMs: ms });
  }

  private add(tally: Tally): void {
    const key = `${tally.minute} ${tally.queue} ${tally.outcome}`;
    const existing = this.tallies.get(key);
    if (!existing) this.tallies.set(key, { ...tally });
    else {
      existing.count += tally.count;
      existing.totalMs += tally.totalMs;
    }
  }

  async store(): Promise<void> {
    await this.storeWork();
    const tallies = [...this.tallies.values()];
    if (!tallies.length) return;
    this.tallies = new Map();
    try {
      await addToMinutes(this.database, tallies);
    } catch (err) {
      for (const tally of tallies) this.add(tally);
      this.log.debug({ event: 'job_statistics_not_stored', err }, 'Job statistics could not be stored, retrying');
    }
  }

  private async storeWork(): Promise<void> {
    const tallies = this.work.take();
    if (!tallies.length) return;
    try {
      await addToWorkMinutes(this.database, tallies);
    } catch (err) {
      this.work.putBack(tallies);
      this.log.debug({ event: 'work_statistics_not_stored', err }, 'Work statistics could not be stored, retrying');
    }
  }
}

/** All processes write in the order of the key, which prevents deadlocks. */
async function addToMinutes({ db }: Database, tallies: Tally[]): Promise<void> {
  await db.execute(sql`
    INSERT INTO ${jobMinutes} AS kept (minute, queue, outcome, count, total_ms)
    SELECT to_timestamp(minute * 60), queue, outcome, count, total_ms FROM unnest(
      ${sql.param(tallies.map(({ minute }) => minute))}::bigint[],
      ${sql.param(tallies.map(({ queue }) => queue))}::text[],
      ${sql.param(tallies.map(({ outcome }) => outcome))}::text[],
      ${sql.param(tallies.map(({ count }) => count))}::int[],
      ${sql.param(tallies.map(({ totalMs }) => totalMs))}::bigint[]
    ) AS counted (minute, queue, outcome, count, total_ms)
    ORDER BY minute, queue, outcome
    ON CONFLICT (minute, queue, outcome) DO UPDATE
      SET count = kept.count + excluded.count, total_ms = kept.total_ms + excluded.total_ms`);
}
