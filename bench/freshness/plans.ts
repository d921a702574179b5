import type { WorldPlan } from './make-world.js';
import type { Random } from './random.js';

/** Few sources have many followers; most have a handful or one. */
const skewed = (random: Random) => Math.min(1_000, Math.floor(random.pareto(1)));
/** Rates range from one post in months to hundreds a day. */
const manyRates = (random: Random) => Math.min(300, Math.exp(0.5 + 2 * random.normal()));

const skewedWorld = { sources: 2_000, days: 7, followers: skewed, postsPerDay: manyRates, human: true };

/** Half of the feeds are silent, and most have one follower. */
const readersWorld = {
  ...skewedWorld,
  followers: (random: Random) => (random.next() < 0.75 ? 1 : Math.min(300, Math.floor(random.pareto(1)))),
  postsPerDay: (random: Random) => (random.next() < 0.5 ? 0.003 : manyRates(random)),
};

export interface NamedPlan extends WorldPlan {
  name: string;
  /** Whether the targets of SPEC section 11 apply to this world. */
  measured?: boolean;
}

export const PLANS: NamedPlan[] = [
  { ...skewedWorld, name: 'cascades', seed: 1, sources: 5_000, posts: 'cascades', measured: true },
  { ...skewedWorld, name: 'cascades, another seed', seed: 2, posts: 'cascades', measured: true },
  { ...skewedWorld, name: 'events', seed: 3, posts: 'events', measured: true },
  { ...readersWorld, name: "a reader's", seed: 4, posts: 'cascades', measured: true },
  { ...readersWorld, name: "a reader's, events, two weeks", seed: 5, days: 14, posts: 'events', measured: true },
  { ...skewedWorld, name: 'no rhythm, no bursts', seed: 6, posts: 'plain', human: false },
  { ...skewedWorld, name: 'habits change', seed: 7, days: 14, posts: 'events', changing: 0.5 },
  { ...skewedWorld, name: 'machines, limits', seed: 8, posts: 'plain', machines: 0.3, limited: 0.2 },
  { ...skewedWorld, name: 'followers come and go', seed: 9, posts: 'cascades', restless: true },
  { ...skewedWorld, name: 'one day', seed: 10, days: 1, posts: 'cascades' },
  { ...skewedWorld, name: '50 sources, a month', seed: 11, sources: 50, days: 30, posts: 'cascades' },
];
