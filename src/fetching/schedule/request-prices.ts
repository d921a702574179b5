import { Inject, Injectable } from '@nestjs/common';
import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Config } from '../../platform/config.js';
import { CONFIG } from '../../platform/config.token.js';
import { Database, type Db } from '../../platform/database/database.js';
import { Events } from '../../platform/events/events.js';
import { type HostLimit, hostLimits } from '../../platform/hosts/host-limits.table.js';
import { leftForFetching } from '../../platform/hosts/used-lately.js';
import { Clock } from '../../platform/time/clock.js';
import { FetchTypes } from '../fetch-types.js';
import { nextBudget, priceFor, type RequestBudget } from '../intervals/adaptive/request-price.js';
import type { IntervalRules } from '../intervals/interval.js';
import { INTERVAL_RULES } from '../intervals/interval-rules.js';
import { demandByWorth, demandOfHosts } from './demand-by-worth.js';
import { fillHosts } from './fill-hosts.js';
import { pricesChanged } from './prices-changed.event.js';
import { requestBudget } from './request-budget.table.js';

/** Who was away for longer has neither saved requests nor wasted them. */
const AWAY_ROUNDS = 5;
/** Of what a host takes, for schedules; the rest is for those who read, import or publish. */
const SCHEDULED_SHARE = 0.9;

/** Works out what a fetch must be worth, so that all of them together stay within the budget, and each host within its own. */
@Injectable()
export class RequestPrices {
  /** What hosts have told until then, by the clock of the database, has its price. */
  private pricedUntil = new Date(0);

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
    const { db } = this.database;
    const [last] = await db.select().from(requestBudget);
    if (!last) return this.run();
    const told = await readLimits(db, sql`date_trunc('milliseconds', learned_at) > ${this.pricedUntil}`);
    if (!told.length) return;
    await this.priceHosts(told, last.price);
    await this.events.publish(db, pricesChanged, {});
  }

  /** By one process at a time. */
  async run(): Promise<void> {
    if (this.config.policy !== 'adaptive') return;
    const { db } = this.database;
    const at = this.at();
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
    await fillHosts(db, this.types);
    await this.priceHosts(await readLimits(db), next.price);
    await this.database.transaction(async (db) => {
      await write(db, next);
      await this.events.publish(db, pricesChanged, {});
    });
  }

  private at() {
    return { now: this.clock.now(), floorSeconds: this.rules.floorSeconds };
  }

  private since(last: RequestBudget, { at, fetches }: { at: number; fetches: number }): RequestBudget {
    const away = at - last.lookedAt > (AWAY_ROUNDS * this.config.recalcMs) / 1_000;
    return away ? { ...last, lookedAt: at, fetches } : last;
  }

  /** Where fetches cost `price` that no host limits. */
  private async priceHosts(limits: ReadLimit[], price: number): Promise<void> {
    if (!limits.length) return;
    const { db } = this.database;
    const hosts = limits.map(({ host }) => host);
    const demands = await demandOfHosts(db, { ...this.at(), hosts });
    const prices = limits.map((limit) => {
      const left = leftForFetching(limit, limit.readAt) * 60 * SCHEDULED_SHARE;
      const own = priceFor(demands.get(limit.host) ?? [], left);
      return own > price ? own : null;
    });
    await writeHostPrices(db, hosts, prices);
    const learned = limits.map(({ learnedAt }) => learnedAt.getTime());
    this.pricedUntil = new Date(Math.max(this.pricedUntil.getTime(), ...learned));
  }
}

/** With the time at which it was so, by the same clock as its own times. */
type ReadLimit = HostLimit & { readAt: Date };

function readLimits(db: Db, which?: SQL): Promise<ReadLimit[]> {
  const readAt = sql`now()`.mapWith(hostLimits.learnedAt);
  return db
    .select({ ...getTableColumns(hostLimits), readAt })
    .from(hostLimits)
    .where(which);
}

/** By itself and at once: every request to one of these hosts waits for its row. */
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
