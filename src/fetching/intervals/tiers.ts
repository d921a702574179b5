import type { IntervalPolicy } from './interval-policy.js';

export interface Tier {
  from: number;
  /** 1 is the most urgent. */
  priority: number;
  minutes: number;
}

/** Sorted by followers, most first. A source below the last tier is not fetched. */
export const TIERS: readonly Tier[] = [
  { from: 100, priority: 1, minutes: 3 },
  { from: 50, priority: 2, minutes: 5 },
  { from: 20, priority: 3, minutes: 10 },
  { from: 10, priority: 4, minutes: 15 },
  { from: 5, priority: 5, minutes: 30 },
  { from: 2, priority: 6, minutes: 60 },
  { from: 1, priority: 7, minutes: 120 },
];

export function tierOf(activeFollowers: number): Tier | undefined {
  return TIERS.find(({ from }) => activeFollowers >= from);
}

export const tiers: IntervalPolicy = {
  name: 'tiers',
  preferredInterval({ activeFollowers }) {
    const tier = tierOf(activeFollowers);
    if (!tier) return undefined;
    return { seconds: tier.minutes * 60, terms: { tierFrom: tier.from, tierMinutes: tier.minutes } };
  },
  explain({ activeFollowers }) {
    const tier = tierOf(activeFollowers);
    if (!tier) return [];
    const from = tier.from === 1 ? 'one active follower' : `${tier.from} or more active followers`;
    return [`Sources with ${from} are fetched every ${tier.minutes} minutes.`];
  },
};
