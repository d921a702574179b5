import { adaptive } from '../../src/fetching/intervals/interval-rules.js';
import { tiers } from '../../src/fetching/intervals/tiers.js';
import type { Measurement } from '../report.js';
import { makeWorld } from './make-world.js';
import { knowing, knownPerDay } from './optimum.js';
import type { NamedPlan } from './plans.js';
import { type Outcome, type Run, simulate } from './simulation.js';
import type { World } from './world.js';

/** The targets of SPEC section 11. */
const TARGETS = { mean: 2.9, p95: 3, optimum: 1.2, requests: 0.02, fewer: 0.4 };
/** Targets of the averages over worlds on which nothing was tuned. */
const HIDDEN_TARGETS = { mean: 3.2, p95: 3.4, optimum: 1.12 };

interface Compared {
  byTiers: Outcome;
  adapted: Outcome;
  /** An optimum that knows the rates. Undefined for worlds with sources that have none. */
  known: Outcome | undefined;
}

function compared(world: World, name: string): Compared {
  const run = (what: string, options: Run) => {
    process.stderr.write(`${name}: ${what}\n`);
    return simulate(world, options);
  };
  const hasRates = world.sources.every(({ rate }) => rate);
  return {
    byTiers: run('tiers', { policy: tiers }),
    adapted: run('adaptive', { policy: adaptive }),
    known: hasRates ? run('optimum', { policy: knowing, knownPerDay }) : undefined,
  };
}

/** Measures a world under the tiers, under the adaptive policy with all and with two fifths of the requests. */
export function measured(plan: NamedPlan): Measurement[] {
  const world = makeWorld(plan);
  const outcomes = compared(world, plan.name);
  process.stderr.write(`${plan.name}: adaptive with fewer requests\n`);
  const fewer = simulate(world, { policy: adaptive, budgetShare: TARGETS.fewer - TARGETS.requests / 2 });
  const rows = rowsOf(plan.name, outcomes).concat(withFewer(outcomes.byTiers, fewer));
  return plan.measured ? rows : rows.map(({ what, value }) => ({ what, value }));
}

function rowsOf(name: string, { byTiers, adapted, known }: Compared): Measurement[] {
  return [
    { what: name, value: `${delays(byTiers)} by tiers, ${delays(adapted)} adaptive` },
    ...meanAndP95(byTiers, adapted),
    ...(known ? [againstOptimum(adapted, known)] : []),
    requestsOf(byTiers, adapted),
  ];
}

/** Measures worlds whose targets apply to their averages, because the possible gain depends on the world. */
export function measuredTogether(plans: NamedPlan[]): Measurement[] {
  const all = plans.map((plan) => ({ name: plan.name, outcomes: compared(makeWorld(plan), plan.name) }));
  const outcomes = all.map((one) => one.outcomes);
  const ratios = (of: (one: Compared) => number) => average(outcomes.map(of));
  const known = outcomes.flatMap(({ adapted, known }) =>
    known ? [adapted.meanDelaySeconds / known.meanDelaySeconds] : [],
  );
  const mean = ratios(({ byTiers, adapted }) => byTiers.meanDelaySeconds / adapted.meanDelaySeconds);
  const p95 = ratios(({ byTiers, adapted }) => byTiers.p95DelaySeconds / adapted.p95DelaySeconds);
  const target = `at most ${HIDDEN_TARGETS.optimum} ×`;
  return [
    ...all.flatMap(({ name, outcomes }) => rowsOf(name, outcomes).map(({ what, value }) => ({ what, value }))),
    { what: `mean delay, average of ${plans.length} worlds`, ...atLeast(mean, HIDDEN_TARGETS.mean) },
    { what: 'p95, average', ...atLeast(p95, HIDDEN_TARGETS.p95) },
    {
      what: `against who knows, average of ${known.length}`,
      value: `${average(known).toFixed(3)} ×`,
      target,
      met: average(known) <= HIDDEN_TARGETS.optimum,
    },
  ];
}

const average = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function meanAndP95(byTiers: Outcome, adapted: Outcome): Measurement[] {
  const mean = byTiers.meanDelaySeconds / adapted.meanDelaySeconds;
  const p95 = byTiers.p95DelaySeconds / adapted.p95DelaySeconds;
  return [
    { what: '  mean delay', ...atLeast(mean, TARGETS.mean) },
    { what: '  p95', ...atLeast(p95, TARGETS.p95) },
  ];
}

function atLeast(ratio: number, target: number) {
  return { value: `${ratio.toFixed(2)} × smaller`, target: `at least ${target} ×`, met: ratio >= target };
}

function againstOptimum(adapted: Outcome, known: Outcome): Measurement {
  const ratio = adapted.meanDelaySeconds / known.meanDelaySeconds;
  const value = `${ratio.toFixed(2)} × (${delays(known)})`;
  return { what: '  against who knows', value, target: `at most ${TARGETS.optimum} ×`, met: ratio <= TARGETS.optimum };
}

function requestsOf(byTiers: Outcome, adapted: Outcome): Measurement {
  const more = adapted.requests / byTiers.requests - 1;
  const value = `${adapted.requests}, ${(more * 100).toFixed(1)} % more than tiers`;
  return { what: '  requests', value, target: 'within 2 %', met: Math.abs(more) <= TARGETS.requests };
}

function withFewer(byTiers: Outcome, fewer: Outcome): Measurement {
  const share = fewer.requests / byTiers.requests;
  const ratio = byTiers.meanDelaySeconds / fewer.meanDelaySeconds;
  return {
    what: `  with ${(share * 100).toFixed(1)} % of the requests`,
    value: `${ratio.toFixed(2)} × smaller`,
    target: 'as fresh, at most 40 %',
    met: ratio >= 1 && share <= TARGETS.fewer,
  };
}

const delays = ({ meanDelaySeconds, p95DelaySeconds }: Outcome) =>
  `${(meanDelaySeconds / 60).toFixed(1)} min (p95 ${(p95DelaySeconds / 60).toFixed(0)})`;
