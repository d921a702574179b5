import { Injectable } from '@nestjs/common';
import { type SQL, sql } from 'drizzle-orm';
import { Database } from '../../platform/database/database.js';
import { canaries } from './canaries.table.js';

/** The current state of one path. All times are in milliseconds. */
export interface CanaryState {
  path: string;
  isPaused: boolean;
  /** How long a canary has been out without returning. Null if none is out. */
  waitingMs: number | null;
  /** Time since another known cause last kept it from returning. Null if there was none. */
  excusedAgoMs: number | null;
  /** Time since the last canary returned. Null if none ever has. */
  returnedAgoMs: number | null;
  roundTripMs: number | null;
}

/** The paths of one round. A path may be both sent and excused. */
interface CanaryRound {
  paused: string[];
  excused: string[];
  sent: string[];
}

/** Probes read this, so a connection that was cut silently must not block them forever. */
const STATES = {
  text: `SELECT path, is_paused AS "isPaused", round_trip_ms AS "roundTripMs",
      1000 * extract(epoch FROM now() - waiting_since)::float8 AS "waitingMs",
      1000 * extract(epoch FROM now() - excused_at)::float8 AS "excusedAgoMs",
      1000 * extract(epoch FROM now() - returned_at)::float8 AS "returnedAgoMs"
    FROM canaries ORDER BY path`,
  query_timeout: 5_000,
};
/** A canary is due after this share of the interval, so that a process that is early skips no round. */
const DUE_SHARE = 0.9;
/** If nobody has sent canaries for this many rounds, no process was running, and canaries from before say nothing. */
const ABANDONED_ROUNDS = 3;
const FORGOTTEN_AFTER = sql`interval '1 day'`;

const milliseconds = (ms: number) => sql`make_interval(secs => ${ms / 1_000})`;
const among = (paths: string[]): SQL => sql`path = ANY(${sql.param(paths)}::text[])`;

/** All times are the database's, so the clocks of a fleet need not agree. */
@Injectable()
export class CanariesStore {
  constructor(private readonly database: Database) {}

  /** Returns the due paths, which the caller has to send. Of all concurrent callers only one receives a path. */
  async takeDue(paths: string[], everyMs: number): Promise<string[]> {
    const due = sql`kept.sent_at <= now() - ${milliseconds(everyMs * DUE_SHARE)}`;
    const { rows } = await this.database.db.execute<{ path: string }>(sql`
      INSERT INTO ${canaries} AS kept (path, sent_at, waiting_since)
      SELECT path, now(), now() FROM unnest(${sql.param(paths)}::text[]) AS path
      WHERE NOT EXISTS (SELECT FROM ${canaries} AS kept WHERE kept.path = path.path AND NOT ${due}) ORDER BY path
      ON CONFLICT (path) DO UPDATE SET sent_at = now(), waiting_since =
        CASE WHEN kept.sent_at < now() - ${milliseconds(everyMs * ABANDONED_ROUNDS)} THEN now()
          ELSE coalesce(kept.waiting_since, now()) END
      WHERE ${due} RETURNING path`);
    return rows.map(({ path }) => path);
  }

  /** Records a round. Nothing returns from a paused queue, so it is not waited for. */
  async note({ paused, excused, sent }: CanaryRound): Promise<void> {
    const [isPaused, isExcused] = [among(paused), among(excused)];
    await this.database.db.execute(sql`
      UPDATE ${canaries} SET is_paused = ${isPaused},
        waiting_since = CASE WHEN NOT ${isPaused} THEN waiting_since END,
        excused_at = CASE WHEN ${isExcused} THEN now() ELSE excused_at END
      WHERE ${isPaused} OR ${isExcused} OR (${among(sent)} AND is_paused)`);
  }

  /** A canary that returns twice, or from a queue that was paused, does not change the time of the last one. */
  async returned(path: string): Promise<void> {
    await this.database.db.execute(sql`
      UPDATE ${canaries} SET returned_at = now(), waiting_since = NULL, is_paused = false, round_trip_ms =
        coalesce(extract(epoch FROM now() - waiting_since) * 1000, round_trip_ms)::int
      WHERE path = ${path}`);
  }

  async read(): Promise<CanaryState[]> {
    const { rows } = await this.database.pool.query<CanaryState>(STATES);
    return rows;
  }

  async forget(): Promise<void> {
    await this.database.db.execute(sql`DELETE FROM ${canaries} WHERE sent_at < now() - ${FORGOTTEN_AFTER}`);
  }
}
