import { sql } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { AllDemand } from '../../bench/freshness/demand.js';
import { type Demand, priceFor } from '../../src/fetching/intervals/adaptive/request-price.js';
import { demandByWorth } from '../../src/fetching/schedule/request-prices.js';
import { fetchStates } from '../../src/sources/fetch-states.table.js';
import { sources } from '../../src/sources/sources.table.js';
import { testDatabase } from '../harness/database.js';
import { seededRandom } from '../program/seeded-random.js';

const FLOOR_SECONDS = 60;
const db = testDatabase();
beforeEach(() => db.database.db.execute(sql`TRUNCATE sources CASCADE`));

/** From no follower to hundreds, from a post in a year to hundreds a day; some not fetched yet, some with limits. */
function madeUpState(random: () => number) {
  return {
    activeFollowers: Math.floor(1 / (random() + 0.002) - 0.7),
    postsPerDay: random() < 0.1 ? null : Math.fround(10 ** (random() * 5 - 2.5)),
    allows: random() < 0.7 ? {} : { everySeconds: Math.floor(10 ** (random() * 6)) },
  };
}

async function store(states: ReturnType<typeof madeUpState>[]): Promise<void> {
  const rows = states.map((_, at) => ({ type: 'rss', externalId: `https://source${at}.example/` }));
  const made = await db.database.db.insert(sources).values(rows).returning({ id: sources.id });
  await db.database.db
    .insert(fetchStates)
    .values(states.map((state, at) => ({ ...state, id: made[at]?.id ?? '', type: 'rss' })));
}

const inOrder = (demands: Demand[]) =>
  demands.toSorted((a, b) => a.worth - b.worth || a.shortestSeconds - b.shortestSeconds);

it('the simulation asks for what the engine would, and at the same price', async () => {
  const random = seededRandom(3);
  const states = Array.from({ length: 2_000 }, () => madeUpState(random));
  await store(states);
  const simulated = new AllDemand(FLOOR_SECONDS);
  for (const at of states.keys()) simulated.set(at, madeUpState(random));
  for (const [at, state] of states.entries()) simulated.set(at, state);
  const engine = await demandByWorth(db.database.db, { now: new Date(), floorSeconds: FLOOR_SECONDS });

  const [got, wanted] = [inOrder(simulated.demands), inOrder(engine.demands)];
  expect(got.map(({ sources }) => sources)).toEqual(wanted.map(({ sources }) => sources));
  for (const [at, demand] of wanted.entries()) {
    for (const name of ['worth', 'shortestSeconds', 'longestSeconds'] as const) {
      expect((got[at]?.[name] ?? 0) / demand[name]).toBeCloseTo(1, 6);
    }
  }
  expect(simulated.tiersPerHour / engine.tiersPerHour).toBeCloseTo(1, 6);
  for (const share of [0.2, 1, 3]) {
    const [price, same] = [got, wanted].map((demands) => priceFor(demands, share * engine.tiersPerHour));
    expect((price ?? 0) / (same ?? 0)).toBeCloseTo(1, 4);
  }
});
