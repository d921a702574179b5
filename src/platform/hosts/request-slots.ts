import { Injectable } from '@nestjs/common';
import { type SQL, sql } from 'drizzle-orm';
import { Database } from '../database/database.js';
import { hostLimits } from './host-limits.table.js';

/**
 * A minute's worth of requests is spread over this many seconds. Requests move closer together on their way to the
 * host, and none of its minutes may contain one too many.
 */
const SPREAD_SECONDS = 63;
export const spacingMs = (perMinute: number) => (SPREAD_SECONDS * 1_000) / perMinute;
/**
 * Requests are turned away for this long at most, even if more wait than can be served until then, because some of
 * those may have been cancelled.
 */
const MAX_AWAY_SECONDS = 600;

interface SlotRequest {
  /** A write reserves the next slot in advance; a read takes only a slot that has come. */
  isWrite: boolean;
  /** The request fetches a source. */
  isFetch: boolean;
  patienceMs: number;
}

/**
 * `taken`: the slot is reserved and starts in `ms`. `soon`: retry in `ms`. `away`: the next slot is beyond the
 * caller's timeout; come back in `ms`.
 */
type Slot = { kind: 'taken' | 'soon' | 'away'; ms: number };

/**
 * Assigns the slots of hosts with a rate limit, evenly spaced over all processes, with one statement each. Writes go
 * before reads: a write reserves the next slot, or is turned away until its slot comes, and reads leave that slot
 * free. Any number of reads may wait, and a waiting read has reserved nothing.
 */
@Injectable()
export class RequestSlots {
  constructor(private readonly database: Database) {}

  async take(host: string, { isWrite, isFetch, patienceMs }: SlotRequest): Promise<Slot> {
    const comesAt = isWrite ? sql`old.next_at` : FREE_OF_WRITES_AT;
    const isInTime = sql`${comesAt} <= old.at + ${seconds(patienceMs / 1_000)}`;
    const isTaken = isWrite ? isInTime : sql`${comesAt} <= old.at`;
    const [line, lineEnd] = isWrite ? [sql`writes_at`, WRITES_END] : [sql`return_at`, READS_END];
    const { rows } = await this.database.db.execute<{ kind: Slot['kind']; ms: number }>(sql`
      UPDATE ${hostLimits} AS kept SET
        next_at = CASE WHEN ${isTaken} THEN greatest(old.next_at, old.at) + ${SPACING} ELSE old.next_at END,
        ${line} = CASE WHEN ${isInTime} THEN old.${line} ELSE ${lineEnd} END,
        ${counted(isTaken, isFetch)}
      FROM (SELECT *, clock_timestamp() AS at FROM ${hostLimits} WHERE host = ${host} FOR UPDATE) AS old
      WHERE kept.host = old.host
      RETURNING
        CASE WHEN ${isTaken} THEN 'taken' WHEN ${isInTime} THEN 'soon' ELSE 'away' END AS kind,
        date_part('epoch', CASE WHEN ${isInTime} THEN ${comesAt} ELSE kept.${line} END - old.at) * 1000 AS ms`);
    const [slot] = rows;
    // The limit was deleted a moment ago.
    if (!slot) return { kind: 'taken', ms: 0 };
    return { kind: slot.kind, ms: Math.max(0, slot.ms) };
  }
}

const seconds = (count: number | SQL) => sql`make_interval(secs => ${count}::float8)`;
const SPACING = sql`make_interval(secs => ${SPREAD_SECONDS}::float8 / old.per_minute)`;
/** A write may come slightly late, so reads start half a slot after it. They lose no slot if the write comes. */
const FREE_OF_WRITES_AT = sql`greatest(old.next_at, old.writes_at + ${SPACING} / 2)`;
const LATEST_RETURN = sql`old.at + ${seconds(MAX_AWAY_SECONDS)}`;
const READS_END = sql`greatest(${FREE_OF_WRITES_AT}, least(old.return_at + ${SPACING}, ${LATEST_RETURN}))`;
const WRITES_END = sql`greatest(old.next_at, least(coalesce(old.writes_at + ${SPACING}, old.next_at), ${LATEST_RETURN}))`;
const MINUTE = sql`date_trunc('minute', old.at)`;

/** Counts the request in its minute and moves the count of the previous minute. */
function counted(isTaken: SQL, isFetch: boolean): SQL {
  const isSame = sql`old.counted_in = ${MINUTE}`;
  const isNext = sql`old.counted_in = ${MINUTE} - interval '1 minute'`;
  const one = (counts: boolean) => sql`CASE WHEN ${isTaken} AND ${counts}::boolean THEN 1 ELSE 0 END`;
  const moved = (now: string, before: string, counts: boolean) => sql`
    ${sql.raw(now)} = CASE WHEN ${isSame} THEN old.${sql.raw(now)} ELSE 0 END + ${one(counts)},
    ${sql.raw(before)} = CASE WHEN ${isSame} THEN old.${sql.raw(before)} WHEN ${isNext} THEN old.${sql.raw(now)} ELSE 0 END`;
  return sql`counted_in = ${MINUTE}, ${moved('used', 'used_before', true)}, ${moved('others', 'others_before', !isFetch)}`;
}
