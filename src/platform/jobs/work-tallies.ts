import { sql } from 'drizzle-orm';
import type { Database } from '../database/database.js';
import { workMinutes } from './job-minutes.table.js';
import { storableText } from './storable.js';
import type { EndedWork } from './work-result.js';

const MINUTE_MS = 60_000;
/** A target is counted separately for this many minutes after its last failure. */
const TRACKED_MINUTES = 5;
/** Limits the rows of a minute while everything fails. Failures beyond it are counted without their target. */
const MAX_TRACKED = 200;
const MAX_TARGET_LENGTH = 255;

interface Tally {
  minute: number;
  feature: string;
  target: string;
  result: string;
  kind: string;
  count: number;
}

/** Counts results of work in memory. Successes are counted by target only if the target failed recently. */
export class WorkTallies {
  private tallies = new Map<string, Tally>();
  private readonly failing = new Map<string, number>();

  count({ feature, result, kind, target }: EndedWork): void {
    if (result === null || kind === 'neutral') return;
    const minute = Math.floor(Date.now() / MINUTE_MS);
    const isTracked = target !== undefined && this.tracks(`${feature} ${target}`, minute, kind === 'failure');
    this.add({ minute, feature, target: isTracked ? target : '', result, kind, count: 1 });
  }

  take(): Tally[] {
    const tallies = [...this.tallies.values()];
    this.tallies = new Map();
    return tallies;
  }

  putBack(tallies: Tally[]): void {
    for (const tally of tallies) this.add(tally);
  }

  private tracks(key: string, minute: number, failed: boolean): boolean {
    const failedIn = this.failing.get(key);
    if (!failed) return failedIn !== undefined && minute - failedIn <= TRACKED_MINUTES;
    if (failedIn === undefined && this.failing.size >= MAX_TRACKED) this.forget(minute);
    if (failedIn === undefined && this.failing.size >= MAX_TRACKED) return false;
    this.failing.set(key, minute);
    return true;
  }

  private forget(minute: number): void {
    for (const [key, failedIn] of this.failing) if (minute - failedIn > TRACKED_MINUTES) this.failing.delete(key);
  }

  private add(tally: Tally): void {
    const key = `${tally.minute} ${tally.feature} ${tally.result} ${tally.target}`;
    const existing = this.tallies.get(key);
    if (existing) existing.count += tally.count;
    else this.tallies.set(key, { ...tally });
  }
}

/** All processes write in the order of the key, which prevents deadlocks. */
export async function addToWorkMinutes({ db }: Database, tallies: Tally[]): Promise<void> {
  const all = <Of extends keyof Tally>(of: Of) => sql.param(tallies.map((tally) => tally[of]));
  const targets = tallies.map(({ target }) => storableText(target.slice(0, MAX_TARGET_LENGTH)));
  await db.execute(sql`
    INSERT INTO ${workMinutes} AS kept (minute, feature, target, result, kind, count)
    SELECT to_timestamp(minute * 60), feature, target, result, min(kind), sum(count)::int FROM unnest(
      ${all('minute')}::bigint[], ${all('feature')}::text[], ${sql.param(targets)}::text[], ${all('result')}::text[],
      ${all('kind')}::text[], ${all('count')}::int[]
    ) AS counted (minute, feature, target, result, kind, count)
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (minute, feature, target, result) DO UPDATE SET count = kept.count + excluded.count`);
}
