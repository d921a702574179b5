import type { NamedPlan } from './plans.js';
import { Random } from './random.js';

const HOUR = 3_600;
const ALL_PERIODS = [600, 900, 1_200, 1_800, HOUR, 2 * HOUR, 3 * HOUR, 4 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR];

/**
 * Plans worlds on which nothing was tuned: everything about them follows from the seed. Their variety is larger than
 * that of the named worlds.
 */
export function hiddenPlans(seed: number, count: number): NamedPlan[] {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, place) => hiddenPlan(random, `hidden ${seed}.${place + 1}`));
}

function hiddenPlan(random: Random, name: string): NamedPlan {
  return {
    seed: Math.floor(random.next() * 1e9),
    sources: Math.floor(random.between(300, 1_500)),
    days: random.pick([2, 5, 7, 7, 10, 14]),
    followers: followersOf(random),
    postsPerDay: ratesOf(random),
    posts: random.pick(['cascades', 'cascades', 'events', 'events', 'plain']),
    human: random.next() < 0.9,
    hours: { zones: zonesOf(random), weekend: [random.between(0.1, 0.6), random.between(0.6, 1.3)] },
    shown: Math.floor(random.between(10, 51)),
    restless: random.next() < 0.2,
    changing: sometimes(random, 0.3, 0.5),
    machines: sometimes(random, 0.3, 0.3),
    limited: sometimes(random, 0.3, 0.3),
    periods: ALL_PERIODS.filter(() => random.next() < 0.5).concat(HOUR),
    name,
    measured: true,
  };
}

const sometimes = (random: Random, share: number, most: number) =>
  random.next() < share ? random.between(0.05, most) : 0;

function followersOf(random: Random): NamedPlan['followers'] {
  const [shape, most, alone] = [random.between(0.8, 1.6), random.between(50, 1_000), random.between(0, 0.7)];
  return (one) => (one.next() < alone ? 1 : Math.min(Math.floor(most), Math.floor(one.pareto(shape))));
}

function ratesOf(random: Random): NamedPlan['postsPerDay'] {
  const [middle, width] = [random.between(-0.5, 1), random.between(1, 2.2)];
  const silent = sometimes(random, 0.6, 0.6);
  return (one) => (one.next() < silent ? 0.003 : Math.min(300, Math.exp(middle + width * one.normal())));
}

/** The sources of a world are from all over it, or from one place. */
const zonesOf = (random: Random) =>
  random.next() < 0.3 ? [random.pick([-8, -5, 0, 1, 5.5, 8])] : [-8, -5, -3, 0, 1, 1, 2, 5.5, 8, 9];
