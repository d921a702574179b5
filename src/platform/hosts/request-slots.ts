import { Injectable } from '@nestjs/common';
import { type SQL, sql } from 'drizzle-orm';
import { Database } from '../database/database.js';
import { hostLimits, hostPaces } from './host-limits.table.js';

/** Spread a minute of requests over more than 60 s, because they move closer together on their way. */
const SPREAD_SECONDS = 63;
export const spacingMs = (perMinute: number) => (SPREAD_SECONDS * 1_000) / perMinute;
/** Turn requests away for this long at most, because those before them may have been cancelled. */
const MAX_AWAY_SECONDS = 600;

interface LimitedRequest {
  isWrite: boolean;
  isPlanned: boolean;
  patienceMs: number;
}

interface PacedRequest {
  perSecond: number;
  patienceMs: number;
}

/** `taken`: starts in `ms`. `soon`: retry in `ms`. `away`: beyond the timeout; come back in `ms`. */
interface Slot extends Record<string, unknown> {
  kind: 'taken' | 'soon' | 'away';
  ms: number;
}

const NOW: Slot = { kind: 'taken', ms: 0 };

/** Spaces requests evenly over all processes. A request that is turned away has reserved nothing. */
@Injectable()
export class RequestSlots {
  constructor(private readonly database: Database) {}

  /** A write reserves the next slot. A read takes only one that has come, and leaves the writes their slots. */
  async takeLimited(host: string, { isWrite, isPlanned, patienceMs }: LimitedRequest): Promise<Slot> {
    const comesAt = isWrite ? sql`old.next_at` : FREE_OF_WRITES_AT;
    const isInTime = sql`${comesAt} <= old.at + ${milliseconds(patienceMs)}`;
    const isTaken = isWrite ? isInTime : sql`${comesAt} <= old.at`;
    const line = isWrite ? sql`writes_at` : sql`return_at`;
    const slot = await this.take(sql`${hostLimits}`, host, {
      comesAt,
      isInTime,
      isTaken,
      line,
      spacing: LIMIT_SPACING,
      counts: sql`, ${counted(isTaken, isPlanned)}`,
    });
    // The limit was deleted a moment ago.
    return slot ?? NOW;
  }

  async takePaced(host: string, { perSecond, patienceMs }: PacedRequest): Promise<Slot> {
    const spacing = milliseconds(1_000 / perSecond);
    const isInTime = sql`old.next_at <= old.at + ${milliseconds(patienceMs)}`;
    const next = () =>
      this.take(sql`${hostPaces}`, host, {
        comesAt: sql`old.next_at`,
        isInTime,
        isTaken: isInTime,
        line: sql`return_at`,
        spacing,
        counts: sql``,
      });
    const slot = await next();
    if (slot) return slot;
    // If two processes are the first to use a host, one waits for the other.
    const { rowCount } = await this.database.db.execute(sql`
      INSERT INTO ${hostPaces} (host, next_at) VALUES (${host}, clock_timestamp() + ${spacing}) ON CONFLICT DO NOTHING`);
    return rowCount ? NOW : ((await next()) ?? NOW);
  }

  private async take(table: SQL, host: string, slot: SlotTerms): Promise<Slot | undefined> {
    const { comesAt, isInTime, isTaken, line, spacing, counts } = slot;
    const latestReturn = sql`old.at + make_interval(secs => ${MAX_AWAY_SECONDS}::float8)`;
    const lineEnd = sql`greatest(${comesAt}, least(coalesce(old.${line} + ${spacing}, ${comesAt}), ${latestReturn}))`;
    const { rows } = await this.database.db.execute<Slot>(sql`
      UPDATE ${table} AS kept SET
        next_at = CASE WHEN ${isTaken} THEN greatest(old.next_at, old.at) + ${spacing} ELSE old.next_at END,
        ${line} = CASE WHEN ${isInTime} THEN old.${line} ELSE ${lineEnd} END
        ${counts}
      FROM (SELECT *, clock_timestamp() AS at FROM ${table} WHERE host = ${host} FOR UPDATE) AS old
      WHERE kept.host = old.host
      RETURNING
        CASE WHEN ${isTaken} THEN 'taken' WHEN ${isInTime} THEN 'soon' ELSE 'away' END AS kind,
        greatest(0, date_part('epoch', CASE WHEN ${isInTime} THEN ${comesAt} ELSE kept.${line} END - old.at) * 1000) AS ms`);
    return rows[0];
  }
}

interface SlotTerms {
  comesAt: SQL;
  isInTime: SQL;
  isTaken: SQL;
  line: SQL;
  spacing: SQL;
  counts: SQL;
}

const milliseconds = (ms: number) => sql`make_interval(secs => ${ms / 1_000}::float8)`;
const LIMIT_SPACING = sql`make_interval(secs => ${SPREAD_SECONDS}::float8 / old.per_minute)`;
/** A write may come slightly late, so reads start half a slot after it. They lose no slot if the write comes. */
const FREE_OF_WRITES_AT = sql`greatest(old.next_at, old.writes_at + ${LIMIT_SPACING} / 2)`;
const MINUTE = sql`date_trunc('minute', old.at)`;

function counted(isTaken: SQL, isPlanned: boolean): SQL {
  const isSame = sql`old.counted_in = ${MINUTE}`;
  const isNext = sql`old.counted_in = ${MINUTE} - interval '1 minute'`;
  const one = (counts: boolean) => sql`CASE WHEN ${isTaken} AND ${counts}::boolean THEN 1 ELSE 0 END`;
  const moved = (now: string, before: string, counts: boolean) => sql`
    ${sql.raw(now)} = CASE WHEN ${isSame} THEN old.${sql.raw(now)} ELSE 0 END + ${one(counts)},
    ${sql.raw(before)} = CASE WHEN ${isSame} THEN old.${sql.raw(before)} WHEN ${isNext} THEN old.${sql.raw(now)} ELSE 0 END`;
  return sql`counted_in = ${MINUTE}, ${moved('used', 'used_before', true)}, ${moved('others', 'others_before', !isPlanned)}`;
}
