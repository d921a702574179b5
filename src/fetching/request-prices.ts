import { Inject, Injectable } from '@nestjs/common';
import { eq, sql } from 'drizzle-orm';
import { Clock } from '../platform/clock.js';
import type { Config } from '../platform/config.js';
import { CONFIG } from '../platform/config.token.js';
import { Database, type Db } from '../platform/database/database.js';
import { Events } from '../platform/events/events.js';
import { hostLimits } from '../platform/http/host-limits.table.js';
import { leftForFetching } from '../platform/http/used-lately.js';
import { demandByWorth, demandOfHosts } from './demand-by-worth.js';
import { FetchTypes } from './fetch-types.js';
import { fillHosts } from './fill-hosts.js';
import { nextBudget, priceFor, type RequestBudget } from './intervals/adaptive/request-price.js';
import type { IntervalRules } from './intervals/interval.js';
import { INTERVAL_RULES } from './intervals/interval-rules.js';
import { pricesChanged } from './prices-changed.event.js';
import { requestBudget } from './request-budget.table.js';

/** Who was away for longer has neither saved requests nor wasted them. */
const AWAY_ROUNDS = 5;
/** Of what a host takes, for schedules; the rest is for those who read, import or publish. */
const SCHEDULED_SHARE = 0.9;

/** Works out what a fetch must be worth, so that all of them together stay within the budget, and each host within its own. */
@Injectable()
export class RequestPrices {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'policy' | 'requestBudget' | 'recalcMs'>,
    @Inject(INTERVAL_RULES) private readonly rules: IntervalRules,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly events: Events,
    private readonly types: FetchTypes,
  ) {}

  /** What cannot wait for the next round: there was no price yet, or a host has a limit of which nobody knew. */
  async runIfNeeded(): Promise<void> {
    if (this.config.policy !== 'adaptive') return;
    const { rows } = await this.database.db.execute<{ isKnown: boolean }>(sql`
      SELECT bool_and(looked_at >= coalesce((SELECT max(learned_at) FROM ${hostLimits}), '-infinity')) AS "isKnown"
      FROM ${requestBudget}`);
    if (!rows[0]?.isKnown) await this.run();
  }

  /** By one process at a time. */
  async run(): Promise<void> {
    if (this.config.policy !== 'adaptive') return;
    const { db } = this.database;
    const at = { now: this.clock.now(), floorSeconds: this.rules.floorSeconds };
    const { demands, tiersPerHour, fetches } = await demandByWorth(db, at);
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
    const hostPrices = await this.hostPrices(at, next.price);
    await this.database.transaction(async (db) => {
      await write(db, next);
      for (const [host, price] of hostPrices)
        await db.update(hostLimits).set({ price }).where(eq(hostLimits.host, host));
      await this.events.publish(db, pricesChanged, {});
    });
  }

  private since(last: RequestBudget, { at, fetches }: { at: number; fetches: number }): RequestBudget {
    const away = at - last.lookedAt > (AWAY_ROUNDS * this.config.recalcMs) / 1_000;
    return away ? { ...last, lookedAt: at, fetches } : last;
  }

  private async hostPrices(
    at: { now: Date; floorSeconds: number },
    price: number,
  ): Promise<Map<string, number | null>> {
    const { db } = this.database;
    const limits = await db.select().from(hostLimits);
    const hosts = limits.map(({ host }) => host);
    await fillHosts(db, this.types);
    const demands = hosts.length ? await demandOfHosts(db, { ...at, hosts }) : new Map();
    return new Map(
      limits.map((limit) => {
        const { host } = limit;
        const own = priceFor(demands.get(host) ?? [], leftForFetching(limit, at.now) * 60 * SCHEDULED_SHARE);
        return [host, own > price ? own : null];
      }),
    );
  }
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
