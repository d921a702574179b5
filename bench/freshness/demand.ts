import type { Demand } from '../../src/fetching/intervals/adaptive/request-price.js';
import { postsPerDay } from '../../src/fetching/intervals/adaptive/rhythm.js';
import { CEILING_SECONDS } from '../../src/fetching/intervals/interval.js';
import { tierOf } from '../../src/fetching/intervals/tiers.js';
import { MEAN_JITTER } from '../../src/fetching/schedule/next-fetch.js';
import type { FetchState } from '../../src/sources/fetch-states.table.js';

/** Sources whose worth differs by less than a sixth in the logarithm form one group. */
const STEPS = 6;
const OF_NOTHING_KNOWN = postsPerDay(null);

type DemandState = Pick<FetchState, 'activeFollowers' | 'postsPerDay' | 'allows'>;

/** A group of similar sources. Requests grow with the square root of the worth, so roots are added up. */
interface Group {
  sources: number;
  roots: number;
  shortest: number;
}

interface Share {
  key: number;
  root: number;
  shortestSeconds: number;
  perHour: number;
}

/**
 * The demand of all sources, updated as they change. The engine computes it with one query, `demandByWorth`, and a
 * test compares the two.
 */
export class AllDemand {
  private readonly groups = new Map<number, Group>();
  private readonly shares: (Share | undefined)[] = [];
  private perHour = 0;

  constructor(private readonly floorSeconds: number) {}

  get demands(): Demand[] {
    return [...this.groups.values()].map(({ sources, roots, shortest }) => ({
      sources,
      worth: (roots / sources) ** 2,
      shortestSeconds: shortest / sources,
      longestSeconds: CEILING_SECONDS,
    }));
  }

  /** The number of requests per hour that the tiers would make. */
  get tiersPerHour(): number {
    return this.perHour / MEAN_JITTER;
  }

  set(source: number, state: DemandState): void {
    const before = this.shares[source];
    if (before) this.add(before, -1);
    const share = this.shareOf(state);
    if (share) this.add(share, 1);
    this.shares[source] = share;
  }

  private shareOf({ activeFollowers, postsPerDay: perDay, allows }: DemandState): Share | undefined {
    const tier = tierOf(activeFollowers);
    if (!tier) return undefined;
    const worth = activeFollowers * (perDay ?? OF_NOTHING_KNOWN);
    const shortestSeconds = Math.max(this.floorSeconds, Math.min(allows.everySeconds ?? 0, CEILING_SECONDS));
    const perHour = 3_600 / Math.max(tier.minutes * 60, shortestSeconds);
    return { key: step(worth) * 1_000 + step(shortestSeconds), root: Math.sqrt(worth), shortestSeconds, perHour };
  }

  private add({ key, root, shortestSeconds, perHour }: Share, times: 1 | -1): void {
    const group = this.groups.get(key) ?? { sources: 0, roots: 0, shortest: 0 };
    group.sources += times;
    group.roots += times * root;
    group.shortest += times * shortestSeconds;
    this.perHour += times * perHour;
    if (group.sources) this.groups.set(key, group);
    else this.groups.delete(key);
  }
}

const step = (value: number) => Math.round(Math.log(Math.max(value, 1e-9)) * STEPS);
