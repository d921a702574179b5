import { Injectable } from '@nestjs/common';
import { type SQL, sql } from 'drizzle-orm';
import { Database } from '../../platform/database/database.js';
import { canaries } from './canaries.table.js';

/** As it stands now; milliseconds. */
export interface CanaryState {
  /** The name of the queue; `rabbitmq` for the broker. */
  path: string;
  isPaused: boolean;
  /** How long one has been out that has not come back; null if none is. */
  waitingMs: number | null;
  /** Since something else was last known to keep it from coming back; null if that was never so. */
  excusedAgoMs: number | null;
  /** Since the last one came back; null if none ever has. */
  returnedAgoMs: number | null;
  /** Of the last one that came back. */
  roundTripMs: number | null;
}

/** Paths; one may be sent and excused. */
interface Turn {
  paused: string[];
  /** Something else is known to keep them from coming back. */
  excused: string[];
  sent: string[];
}

/** Read by probes: a connection that was cut without a word must not keep them waiting for ever. */
const STATES = {
  text: `SELECT path, is_paused AS "isPaused", round_trip_ms AS "roundTripMs",
      1000 * extract(epoch FROM now() - waiting_since)::float8 AS "waitingMs",
      1000 * extract(epoch FROM now() - excused_at)::float8 AS "excusedAgoMs",
      1000 * extract(epoch FROM now() - returned_at)::float8 AS "returnedAgoMs"
    FROM canaries ORDER BY path`,
  query_timeout: 5_000,
};
/** So that one process, which comes round a hair too early, does not let a turn go by. */
const NEARLY = 0.9;
/** When nobody has sent any for so many turns, nobody was there: what was out before says nothing. */
const ABANDONED = 3;
const FORGOTTEN_AFTER = sql`interval '1 day'`;

const milliseconds = (ms: number) => sql`make_interval(secs => ${ms / 1_000})`;
const among = (paths: string[]): SQL => sql`path = ANY(${sql.param(paths)}::text[])`;

/** All times are the database's, so that the clocks of a fleet need not agree. */
@Injectable()
export class CanariesStore {
  constructor(private readonly database: Database) {}

  /** Those of the paths whose turn it is are the caller's to send: however many ask, one of them is told so. */
  async takeTurns(paths: string[], everyMs: number): Promise<string[]> {
    const due = sql`kept.sent_at <= now() - ${milliseconds(everyMs * NEARLY)}`;
    const { rows } = await this.database.db.execute<{ path: string }>(sql`
      INSERT INTO ${canaries} AS kept (path, sent_at, waiting_since)
      SELECT path, now(), now() FROM unnest(${sql.param(paths)}::text[]) AS path
      WHERE NOT EXISTS (SELECT FROM ${canaries} AS kept WHERE kept.path = path.path AND NOT ${due}) ORDER BY path
      ON CONFLICT (path) DO UPDATE SET sent_at = now(), waiting_since =
        CASE WHEN kept.sent_at < now() - ${milliseconds(everyMs * ABANDONED)} THEN now()
          ELSE coalesce(kept.waiting_since, now()) END
      WHERE ${due} RETURNING path`);
    return rows.map(({ path }) => path);
  }

  /** What came of a turn. From a paused queue nothing can come back, and nobody waits for it. */
  async note({ paused, excused, sent }: Turn): Promise<void> {
    const [isPaused, isExcused] = [among(paused), among(excused)];
    await this.database.db.execute(sql`
      UPDATE ${canaries} SET is_paused = ${isPaused},
        waiting_since = CASE WHEN NOT ${isPaused} THEN waiting_since END,
        excused_at = CASE WHEN ${isExcused} THEN now() ELSE excused_at END
      WHERE ${isPaused} OR ${isExcused} OR (${among(sent)} AND is_paused)`);
  }

  /** One that comes back twice, or from a queue that was paused, leaves the time of the last. */
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

  /** Those of queues that are no more. */
  async forget(): Promise<void> {
    await this.database.db.execute(sql`DELETE FROM ${canaries} WHERE sent_at < now() - ${FORGOTTEN_AFTER}`);
  }
}
