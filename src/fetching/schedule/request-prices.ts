import { Inject, Injectable } from '@nestjs/common';
import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import { CONFIG, type Config } from '../../platform/config.js';
import { Database, type Db } from '../../platform/database/database.js';
import { Events } from '../../platform/events/events.js';
import { type HostLimit, hostLimits } from '../../platform/hosts/host-limits.table.js';
import { leftForPlanned } from '../../platform/hosts/recently-used.js';
import { Clock } from '../../platform/time/clock.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { sources } from '../../sources/sources.table.js';
import { type Demand, nextBudget, priceFor, type RequestBudget } from '../intervals/adaptive/request-price.js';
import { postsPerDay } from '../intervals/adaptive/rhythm.js';
import { CEILING_SECONDS } from '../intervals/interval.js';
import { SourceCatalogue } from '../source-catalogue.js';
import { MEAN_JITTER } from './next-fetch.js';
import { pricesChanged } from './prices-changed.event.js';
import { requestBudget } from './request-budget.table.js';
import { tierSeconds } from './tier-priority.js';

/** Sources are grouped by logarithms in steps of one sixth. */
const STEPS = '6';

const DEFAULT_POSTS_PER_DAY = postsPerDay(null);

const WITH_MAX_DELAYS = sql`greatest(coalesce(wish_seconds, ${sql.raw(String(CEILING_SECONDS))}), shortest)`;

/** The number of requests grows with the square root of the worth, so the average must preserve the root. */
const AVERAGES = sql`avg(sqrt(worth)) ^ 2 AS worth, avg(shortest) AS "shortestSeconds", avg(longest) AS "longestSeconds"`;

const step = (value: SQL) => sql`round(ln(greatest(${value}, 1e-9)) * ${sql.raw(STEPS)})`;

const ALIKE = sql`takes_part, ${step(sql`worth`)}, ${step(sql`shortest`)}, ${step(sql`longest`)}`;

/** Rows whose host is filled in per round. Successful fetches set the host of all other rows. */
const BATCH_SIZE = 5_000;

/** After a gap of this many rounds, the time in between is not added to the budget balance. */
const MAX_MISSED_ROUNDS = 5;
/** Share of a host's requests that schedules may use. The rest is for readers, imports and publishing. */
const SCHEDULED_SHARE = 0.9;

@Injectable()
export class RequestPrices {
  /** Limits learned until this time (database clock) are priced. */
  private pricedUntil = new Date(0);

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'policy' | 'requestBudget' | 'recalcMs' | 'minIntervalMs'>,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly events: Events,
    private readonly catalogue: SourceCatalogue,
  ) {}

  async runIfNeeded(): Promise<void> {
    if (this.config.policy !== 'adaptive') return;
    const { db } = this.database;
    const [last] = await db.select().from(requestBudget);
    if (!last) return this.run();
    const newLimits = await readLimits(db, sql`date_trunc('milliseconds', learned_at) > ${this.pricedUntil}`);
    if (!newLimits.length) return;
    await this.priceHosts(newLimits, last.price);
    await this.events.publish(db, pricesChanged, {});
  }

  /** Only one process may run this at a time. */
  async run(): Promise<void> {
    if (this.config.policy !== 'adaptive') return;
    const { db } = this.database;
    const at = this.at();
    const { demands, tiersPerHour, fetches } = await this.database.transaction(async (db) => demandByWorth(db, at));
    const [last] = await db.select().from(requestBudget);
    const look = {
      at: at.now.getTime() / 1_000,
      demands,
      budgetPerHour: this.config.requestBudget ?? tiersPerHour,
      fetches,
    };
    const next = demands.length
      ? nextBudget(last ? this.since(toBudget(last), look) : null, look)
      : last && { ...toBudget(last), lookedAt: look.at, budgetPerHour: 0, fetches };
    if (!next) return;
    await fillHosts(db, this.catalogue);
    await this.priceHosts(await readLimits(db), next.price);
    await this.database.transaction(async (db) => {
      await write(db, next);
      await this.events.publish(db, pricesChanged, {});
    });
  }

  private at() {
    return { now: this.clock.now(), floorSeconds: this.config.minIntervalMs / 1_000 };
  }

  private since(last: RequestBudget, { at, fetches }: { at: number; fetches: number }): RequestBudget {
    const away = at - last.lookedAt > (MAX_MISSED_ROUNDS * this.config.recalcMs) / 1_000;
    return away ? { ...last, lookedAt: at, fetches } : last;
  }

  private async priceHosts(limits: ReadLimit[], price: number): Promise<void> {
    if (!limits.length) return;
    const { db } = this.database;
    const hosts = limits.map(({ host }) => host);
    const demands = await demandOfHosts(db, { ...this.at(), hosts });
    const prices = limits.map((limit) => {
      const left = leftForPlanned(limit, limit.readAt) * 60 * SCHEDULED_SHARE;
      const own = priceFor(demands.get(limit.host) ?? [], left);
      return own > price ? own : null;
    });
    await writeHostPrices(db, hosts, prices);
    const learned = limits.map(({ learnedAt }) => learnedAt.getTime());
    this.pricedUntil = new Date(Math.max(this.pricedUntil.getTime(), ...learned));
  }
}

type ReadLimit = HostLimit & { readAt: Date };

function readLimits(db: Db, which?: SQL): Promise<ReadLimit[]> {
  const readAt = sql`now()`.mapWith(hostLimits.learnedAt);
  return db
    .select({ ...getTableColumns(hostLimits), readAt })
    .from(hostLimits)
    .where(which);
}

/** Written outside a larger transaction, because every request to one of these hosts waits for its row. */
async function writeHostPrices(db: Db, hosts: string[], prices: (number | null)[]): Promise<void> {
  await db.execute(sql`
    UPDATE ${hostLimits} AS kept SET price = wanted.price
    FROM unnest(${sql.param(hosts)}::text[], ${sql.param(prices)}::float8[]) AS wanted (host, price)
    WHERE kept.host = wanted.host AND kept.price IS DISTINCT FROM wanted.price`);
}

type BudgetRow = typeof requestBudget.$inferSelect;

const toBudget = ({ id: _, lookedAt, ...budget }: BudgetRow): RequestBudget => ({
  ...budget,
  lookedAt: lookedAt.getTime() / 1_000,
});

async function write(db: Db, { lookedAt, ...budget }: RequestBudget): Promise<void> {
  const values = { ...budget, lookedAt: new Date(lookedAt * 1_000) };
  await db.insert(requestBudget).values(values).onConflictDoUpdate({ target: requestBudget.id, set: values });
}

async function fillHosts(db: Db, catalogue: SourceCatalogue): Promise<void> {
  const asked = catalogue.fetchers.filter(({ remote }) => !remote).map(({ type }) => type);
  const { rows } = await db.execute<Record<'id' | 'type' | 'externalId', string>>(sql`
    SELECT source.id, source.type, source.external_id AS "externalId"
    FROM ${fetchStates} AS state JOIN ${sources} AS source ON source.id = state.id
    WHERE state.host IS NULL AND state.active_followers > 0 AND state.type = ANY(${sql.param(asked)}::text[])
    LIMIT ${BATCH_SIZE}`);
  const found = rows.flatMap((row) => {
    const host = catalogue.hostOf(row);
    return host ? [{ id: row.id, host }] : [];
  });
  if (!found.length) return;
  const ids = sql.param(found.map(({ id }) => id));
  await db.execute(sql`
    UPDATE ${fetchStates} AS state SET host = wanted.host
    FROM unnest(${ids}::bigint[], ${sql.param(found.map(({ host }) => host))}::text[]) AS wanted (id, host)
    WHERE state.id = wanted.id AND state.id IN (
      SELECT id FROM ${fetchStates} WHERE id = ANY(${ids}::bigint[])
      ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)`);
}

interface AllDemand {
  demands: Demand[];
  tiersPerHour: number;
  fetches: number;
}

interface DemandRecord extends Record<string, unknown>, Demand {
  perHour: number;
  fetches: number;
}

/**
 * A million sources make a few hundred groups. The planner expects many more, and only with this memory does it hash
 * them in each parallel worker instead of sorting all sources. Call inside a transaction. See also migration 0018.
 */
export async function demandByWorth(
  db: Db,
  { now, floorSeconds }: { now: Date; floorSeconds: number },
): Promise<AllDemand> {
  await db.execute(sql`SET LOCAL work_mem = '64MB'`);
  const { rows } = await db.execute<DemandRecord>(sql`
    SELECT count(*) FILTER (WHERE takes_part)::float8 AS sources, ${AVERAGES},
      coalesce(sum(3600 / tier_seconds) FILTER (WHERE takes_part), 0)::float8 AS "perHour",
      sum(fetches)::float8 AS fetches
    FROM (${states({ now, floorSeconds, longest: WITH_MAX_DELAYS })}) AS state
    GROUP BY ${ALIKE}`);
  return {
    demands: rows.filter(({ sources }) => sources > 0).map(toDemand),
    // Jitter makes every interval slightly longer than stated.
    tiersPerHour: sum(rows.map(({ perHour }) => perHour)) / MEAN_JITTER,
    fetches: sum(rows.map(({ fetches }) => fetches)),
  };
}

/** Delays that followers ask for are ignored here. */
async function demandOfHosts(
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

/** Doubling the interval after a failure has the effect of dividing the worth by four. */
function states({ now, floorSeconds, longest }: { now: Date; floorSeconds: number; longest: SQL }): SQL {
  const ceiling = sql.raw(String(CEILING_SECONDS));
  return sql`
    SELECT takes_part, fetches, host,
      active_followers * coalesce(posts_per_day, ${DEFAULT_POSTS_PER_DAY}::float8) / (back_off * back_off) AS worth,
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

function toDemand({ sources, worth, shortestSeconds, longestSeconds }: DemandRecord): Demand {
  return { sources, worth, shortestSeconds, longestSeconds };
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
