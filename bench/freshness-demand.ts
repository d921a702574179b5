import type { Demand } from '../src/fetching/intervals/adaptive/request-price.js';
import { postsPerDay } from '../src/fetching/intervals/adaptive/rhythm.js';
import { CEILING_SECONDS } from '../src/fetching/intervals/interval.js';
import { tierOf } from '../src/fetching/intervals/tiers.js';
import { MEAN_JITTER } from '../src/fetching/next-fetch.js';
import type { FetchState } from '../src/sources/fetch-states.table.js';

/** What differs by less than a sixth of its logarithm counts as alike, as in the query of the engine. */
const STEPS = 6;
const OF_NOTHING_KNOWN = postsPerDay(null);

type DemandState = Pick<FetchState, 'activeFollowers' | 'postsPerDay' | 'allows'>;

/** What all sources ask for, kept up as they change: what the engine reads by one query. */
export class AllDemand {
  private readonly byKey = new Map<number, Demand>();
  private readonly bySource: ({ demand: Demand; perHour: number } | undefined)[] = [];
  private perHour = 0;

  constructor(private readonly floorSeconds: number) {}

  get demands(): Demand[] {
    return [...this.byKey.values()].filter(({ sources }) => sources > 0);
  }

  /** Requests that the tiers would make. */
  get tiersPerHour(): number {
    return this.perHour / MEAN_JITTER;
  }

  set(source: number, { activeFollowers, postsPerDay: perDay, allows }: DemandState): void {
    const before = this.bySource[source];
    if (before) {
      before.demand.sources--;
      this.perHour -= before.perHour;
    }
    this.bySource[source] = undefined;
    const tier = tierOf(activeFollowers);
    if (!tier) return;
    const shortestSeconds = Math.max(this.floorSeconds, Math.min(allows.everySeconds ?? 0, CEILING_SECONDS));
    const demand = this.alike(activeFollowers * (perDay ?? OF_NOTHING_KNOWN), shortestSeconds);
    demand.sources++;
    const perHour = 3_600 / Math.max(tier.minutes * 60, shortestSeconds);
    this.perHour += perHour;
    this.bySource[source] = { demand, perHour };
  }

  private alike(worth: number, shortestSeconds: number): Demand {
    const step = Math.round(Math.log(Math.max(worth, 1e-9)) * STEPS);
    const key = step + shortestSeconds * 1_000;
    const known = this.byKey.get(key);
    if (known) return known;
    const demand = { sources: 0, worth: Math.exp(step / STEPS), shortestSeconds, longestSeconds: CEILING_SECONDS };
    this.byKey.set(key, demand);
    return demand;
  }
}
