import { Injectable } from '@nestjs/common';
import { type SQL, sql } from 'drizzle-orm';
import { Database } from '../database/database.js';
import { hostLimits } from './host-limits.table.js';

/**
 * Requests are so far apart that a minute's worth of them takes these seconds: on the way to the host they come closer to each
 * other, and none of its minutes may see one too many.
 */
const SPREAD_SECONDS = 63;
export const spacingMs = (perMinute: number) => (SPREAD_SECONDS * 1_000) / perMinute;
/** Nobody is sent away for longer, though more wait than can be served until then: some of those may have been called off. */
const MAX_AWAY_SECONDS = 600;

interface TurnWish {
  /** Takes the next turn whenever that is; a read takes one that has come. */
  isWrite: boolean;
  /** The fetch of a source. */
  isFetch: boolean;
  patienceMs: number;
}

/** Taken: it comes in so many milliseconds. Soon: try again then. Away: it comes later than one can wait; come back then. */
type Turn = { kind: 'taken' | 'soon' | 'away'; ms: number };

/**
 * Hands out the turns at hosts with a limit, evenly spaced over all processes, in one statement each. Writes go before reads: a
 * write takes the next turn in advance, or is sent away until then and reads leave that turn to it. Of reads any number may wait and
 * none has taken anything.
 */
@Injectable()
export class RequestTurns {
  constructor(private readonly database: Database) {}

  async take(host: string, { isWrite, isFetch, patienceMs }: TurnWish): Promise<Turn> {
    const comesAt = isWrite ? sql`old.next_at` : FREE_OF_WRITES_AT;
    const isInTime = sql`${comesAt} <= old.at + ${seconds(patienceMs / 1_000)}`;
    const isTaken = isWrite ? isInTime : sql`${comesAt} <= old.at`;
    const [line, lineEnd] = isWrite ? [sql`writes_at`, WRITES_END] : [sql`return_at`, READS_END];
    const { rows } = await this.database.db.execute<{ kind: Turn['kind']; ms: number }>(sql`
      UPDATE ${hostLimits} AS kept SET
        next_at = CASE WHEN ${isTaken} THEN greatest(old.next_at, old.at) + ${SPACING} ELSE old.next_at END,
        ${line} = CASE WHEN ${isInTime} THEN old.${line} ELSE ${lineEnd} END,
        ${counted(isTaken, isFetch)}
      FROM (SELECT *, clock_timestamp() AS at FROM ${hostLimits} WHERE host = ${host} FOR UPDATE) AS old
      WHERE kept.host = old.host
      RETURNING
        CASE WHEN ${isTaken} THEN 'taken' WHEN ${isInTime} THEN 'soon' ELSE 'away' END AS kind,
        date_part('epoch', CASE WHEN ${isInTime} THEN ${comesAt} ELSE kept.${line} END - old.at) * 1000 AS ms`);
    const [turn] = rows;
    // Its limit was forgotten a moment ago.
    if (!turn) return { kind: 'taken', ms: 0 };
    return { kind: turn.kind, ms: Math.max(0, turn.ms) };
  }
}

const seconds = (count: number | SQL) => sql`make_interval(secs => ${count}::float8)`;
const SPACING = sql`make_interval(secs => ${SPREAD_SECONDS}::float8 / old.per_minute)`;
/** A write may come a little after its time. Reads have their turn after the last one, and lose none if it comes. */
const FREE_OF_WRITES_AT = sql`greatest(old.next_at, old.writes_at + ${SPACING} / 2)`;
const LATEST_RETURN = sql`old.at + ${seconds(MAX_AWAY_SECONDS)}`;
const READS_END = sql`greatest(${FREE_OF_WRITES_AT}, least(old.return_at + ${SPACING}, ${LATEST_RETURN}))`;
const WRITES_END = sql`greatest(old.next_at, least(coalesce(old.writes_at + ${SPACING}, old.next_at), ${LATEST_RETURN}))`;
const MINUTE = sql`date_trunc('minute', old.at)`;

/** Counts of this minute and of the one before. */
function counted(isTaken: SQL, isFetch: boolean): SQL {
  const isSame = sql`old.counted_in = ${MINUTE}`;
  const isNext = sql`old.counted_in = ${MINUTE} - interval '1 minute'`;
  const one = (counts: boolean) => sql`CASE WHEN ${isTaken} AND ${counts}::boolean THEN 1 ELSE 0 END`;
  const moved = (now: string, before: string, counts: boolean) => sql`
    ${sql.raw(now)} = CASE WHEN ${isSame} THEN old.${sql.raw(now)} ELSE 0 END + ${one(counts)},
    ${sql.raw(before)} = CASE WHEN ${isSame} THEN old.${sql.raw(before)} WHEN ${isNext} THEN old.${sql.raw(now)} ELSE 0 END`;
  return sql`counted_in = ${MINUTE}, ${moved('used', 'used_before', true)}, ${moved('others', 'others_before', !isFetch)}`;
}
