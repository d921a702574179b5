import { describe, expect, it } from 'vitest';
import { type Demand, nextBudget, priceFor, type RequestBudget } from './request-price.js';

const DAY = 86_400;
const HOUR = 3_600;
const demand = (sources: number, worth: number, bounds: Partial<Demand> = {}): Demand => ({
  sources,
  worth,
  shortestSeconds: 60,
  longestSeconds: DAY,
  ...bounds,
});

/** Returns the requests per hour that the rule makes at a price. */
function requests(demands: Demand[], price: number): number {
  const perHour = ({ sources, worth, shortestSeconds, longestSeconds }: Demand) =>
    (sources * HOUR) / Math.min(Math.max(Math.sqrt((2 * price * DAY) / worth), shortestSeconds), longestSeconds);
  return demands.reduce((sum, one) => sum + perHour(one), 0);
}

describe('the price', () => {
  it('is that at which the sources come to the requests that are allowed', () => {
    const demands = [demand(100, 2), demand(10, 300), demand(1, 90_000)];
    expect(requests(demands, priceFor(demands, 500))).toBeCloseTo(500, 3);
  });

  it('gives to others what a source cannot use', () => {
    const free = [demand(100, 2), demand(100, 50)];
    const bound = [demand(100, 2), demand(100, 50, { shortestSeconds: DAY / 2 })];
    expect(priceFor(bound, 500)).toBeLessThan(priceFor(free, 500));
    expect(requests(bound, priceFor(bound, 500))).toBeCloseTo(500, 3);
  });

  it('takes from others what a maximum delay needs', () => {
    const delayed = [demand(100, 2), demand(100, 0.1, { longestSeconds: 1_800 })];
    expect(requests(delayed, priceFor(delayed, 500))).toBeCloseTo(500, 3);
  });

  it('is no higher than what makes all wait as long as any may, where even that is too much', () => {
    const demands = [demand(1_000, 2), demand(10, 40)];
    expect(requests(demands, priceFor(demands, 1))).toBeCloseTo(1_010 / 24, 3);
    expect(requests(demands, 0.99 * priceFor(demands, 1))).toBeGreaterThan(1_010 / 24);
  });

  it('leaves half of the budget to others, however short the maximum delays are', () => {
    const others = demand(990, 1);
    const delayed = demand(10, 1, { longestSeconds: 60 });
    const price = priceFor([others, delayed], 476);
    expect(requests([others], price)).toBeGreaterThan(0.49 * 476);
    expect(requests([others], priceFor([others, { ...delayed, sources: 1_000 }], 476))).toBeGreaterThan(0.24 * 476);
    expect(requests([delayed], price)).toBeCloseTo(600, 3);
  });
});

describe('the budget', () => {
  const demands = [demand(1_000, 2), demand(100, 300)];
  const allowed = 600;

  /** Adjusts the budget every five minutes while `factor` times the expected requests are made. */
  function hoursOf(hours: number, factor: (hour: number) => number) {
    let budget: RequestBudget | null = null;
    let fetches = 0;
    for (let second = 0; second <= hours * HOUR; second += 300) {
      budget = nextBudget(budget, { at: 1e9 + second, demands, budgetPerHour: allowed, fetches });
      fetches += (requests(demands, budget.price) * factor(second / HOUR)) / 12;
    }
    return { fetches, price: budget?.price ?? 0 };
  }

  it.each([0.5, 0.8, 1, 1.3, 2])('is met within a day where %d times what was foreseen is made', (factor) => {
    const spent = hoursOf(24, () => factor).fetches + 1_100 / 2;
    expect(Math.abs(spent / (allowed * 24) - 1)).toBeLessThan(0.02);
  });

  it('is met over a week of busy days and quiet nights', () => {
    const { fetches } = hoursOf(168, (hour) => 1 + 0.5 * Math.sin((hour / 24) * 2 * Math.PI));
    expect(Math.abs(fetches / (allowed * 168) - 1)).toBeLessThan(0.01);
  });

  it('holds what maximum delays cost beyond half of it on top, and owes nothing for that', () => {
    const delays = [demand(990, 1), demand(10, 1, { longestSeconds: 60 })];
    let last = nextBudget(null, { at: 1e9, demands: delays, budgetPerHour: 476, fetches: 0 });
    for (let round = 1; round <= 24 * 12; round++) {
      const fetches = last.fetches + requests(delays, last.price) / 12;
      last = nextBudget(last, { at: 1e9 + round * 300, demands: delays, budgetPerHour: 476, fetches });
    }
    expect(last.budgetPerHour).toBeCloseTo(requests(delays, last.price), -1);
    expect(Math.abs(last.balance)).toBeLessThan(0.1 * 476);
    expect(last.budgetPerHour).toBeLessThan(476 / 2 + 601);
  });

  it('learns nothing and saves nothing while nobody makes requests', () => {
    const calm = nextBudget(null, { at: 1e9, demands, budgetPerHour: allowed, fetches: 0 });
    let idle = calm;
    for (let round = 1; round <= 12 * 12; round++)
      idle = nextBudget(idle, { at: 1e9 + round * 300, demands, budgetPerHour: allowed, fetches: 0 });
    expect(idle).toMatchObject({ correction: calm.correction, balance: calm.balance });
  });

  it('takes a round without requests for what it is where few were to be expected', () => {
    const few = [demand(2, 2)];
    const calm = { ...nextBudget(null, { at: 1e9, demands: few, budgetPerHour: 1, fetches: 0 }), balance: 0 };
    const next = nextBudget(calm, { at: 1e9 + 300, demands: few, budgetPerHour: 1, fetches: 0 });
    expect(next.balance).toBeCloseTo(1 / 12);
    expect(next.correction).toBeLessThan(1);
  });

  it.each([
    [0.1, 1],
    [10, -1],
  ])('where %d times as much is made for a month, keeps no more than a few hours of it', (factor, sign) => {
    let last = nextBudget(null, { at: 1e9, demands, budgetPerHour: allowed, fetches: 0 });
    for (let round = 1; round <= 30 * 24 * 12; round++) {
      const fetches = last.fetches + (factor * allowed) / 12;
      last = nextBudget(last, { at: 1e9 + round * 300, demands, budgetPerHour: allowed, fetches });
    }
    expect(sign * last.balance).toBeGreaterThan(0);
    expect(sign * last.balance).toBeLessThan(6 * allowed);
  });

  it('is not made up for at once after a long time off', () => {
    const calm = nextBudget(null, { at: 1e9, demands, budgetPerHour: allowed, fetches: 0 });
    const back = nextBudget(calm, { at: 1e9 + 30 * DAY, demands, budgetPerHour: allowed, fetches: 0 });
    expect(requests(demands, back.price)).toBeLessThan(5 * allowed);
  });
});
