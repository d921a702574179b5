import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import type { Demand } from '../intervals/adaptive/request-price.js';
import { postsPerDay } from '../intervals/adaptive/rhythm.js';
import { CEILING_SECONDS } from '../intervals/interval.js';
import { MEAN_JITTER } from './next-fetch.js';
import { tierSeconds } from './tier-priority.js';

export interface AllDemand {
  demands: Demand[];
  /** Requests that the tiers would make of the same sources. */
  tiersPerHour: number;
  /** All that schedules have had fetched until now. */
  fetches: number;
}

interface DemandRecord extends Record<string, unknown>, Demand {
  perHour: number;
  fetches: number;
}

/** What differs by less than a sixth of its logarithm counts as alike. */
const STEPS = '6';
const OF_NOTHING_KNOWN = postsPerDay(null);

/** Everything that is fetched on schedule, added up: a million sources make some hundreds of rows. */
export async function demandByWorth(
  db: Db,
  { now, floorSeconds }: { now: Date; floorSeconds: number },
): Promise<AllDemand> {
  const { rows } = await db.execute<DemandRecord>(sql`
    SELECT count(*) FILTER (WHERE takes_part)::float8 AS sources, ${AVERAGES},
      coalesce(sum(3600 / tier_seconds) FILTER (WHERE takes_part), 0)::float8 AS "perHour",
      sum(fetches)::float8 AS fetches
    FROM (${states({ now, floorSeconds, longest: WITH_WISHES })}) AS state
    GROUP BY ${ALIKE}`);
  return {
    demands: rows.filter(({ sources }) => sources > 0).map(toDemand),
    // Jitter makes every interval a little longer than it says.
    tiersPerHour: sum(rows.map(({ perHour }) => perHour)) / MEAN_JITTER,
    fetches: sum(rows.map(({ fetches }) => fetches)),
  };
}

/** The same by host, for those that are short of requests. There no wish counts. */
export async function demandOfHosts(
  db: Db,
  { hosts, ...at }: { hosts: string[]; now: Date; floorSeconds: number },
): Promise<Map<string, Demand[]>> {
  const { rows } = await db.execute<DemandRecord & { host: string }>(sql`
    SELECT host, count(*)::float8 AS sources, ${AVERAGES}
    FROM (${states({ ...at, longest: sql.raw(String(CEILING_SECONDS)) })}) AS state
    WHERE takes_part AND host = ANY(${sql.param(hosts)}::text[])
    GROUP BY host, ${ALIKE}`);
  const demands = new Map<string, Demand[]>(hosts.map((host) => [host, []]));
  for (const row of rows) demands.get(row.host)?.push(toDemand(row));
  return demands;
}

const WITH_WISHES = sql`greatest(coalesce(wish_seconds, ${sql.raw(String(CEILING_SECONDS))}), shortest)`;

/** Waiting twice as long after a failure is what a quarter of the worth would have led to. */
function states({ now, floorSeconds, longest }: { now: Date; floorSeconds: number; longest: SQL }): SQL {
  const ceiling = sql.raw(String(CEILING_SECONDS));
  return sql`
    SELECT takes_part, fetches, host,
      active_followers * coalesce(posts_per_day, ${OF_NOTHING_KNOWN}::float8) / (back_off * back_off) AS worth,
      least(shortest * back_off, ${ceiling}) AS shortest, least(${longest} * back_off, ${ceiling}) AS longest,
      least(greatest(${tierSeconds}, shortest) * back_off, ${ceiling}) AS tier_seconds
    FROM (
      SELECT active_followers, posts_per_day, wish_seconds, fetches, host, 2::float8 ^ least(failures, 20) AS back_off,
        greatest(${floorSeconds}::float8, least(coalesce((allows->>'everySeconds')::float8, 0), ${ceiling})) AS shortest,
        active_followers > 0 AND gone_at IS NULL AND NOT waits_for_worker
          AND (failures > 0 OR coalesce(pushed_until, '-infinity') <= ${now.toISOString()}::timestamptz) AS takes_part
      FROM ${fetchStates}
    ) AS counted`;
}

/** Requests go by the root of the worth, so that is what an average has to keep. */
const AVERAGES = sql`avg(sqrt(worth)) ^ 2 AS worth, avg(shortest) AS "shortestSeconds", avg(longest) AS "longestSeconds"`;

const step = (value: SQL) => sql`round(ln(greatest(${value}, 1e-9)) * ${sql.raw(STEPS)})`;
const ALIKE = sql`takes_part, ${step(sql`worth`)}, ${step(sql`shortest`)}, ${step(sql`longest`)}`;

function toDemand({ sources, worth, shortestSeconds, longestSeconds }: DemandRecord): Demand {
  return { sources, worth, shortestSeconds, longestSeconds };
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
