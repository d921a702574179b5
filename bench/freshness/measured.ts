import { adaptive } from '../../src/fetching/intervals/interval-rules.js';
import { tiers } from '../../src/fetching/intervals/tiers.js';
import type { Measurement } from '../report.js';
import { makeWorld } from './make-world.js';
import { knowing, knownPerDay } from './optimum.js';
import type { NamedPlan } from './plans.js';
import { type Outcome, simulate } from './simulation.js';

/** The targets of SPEC section 11. */
const TARGETS = { mean: 2.9, p95: 3, optimum: 1.2, requests: 0.02, fewer: 0.4 };

/**
 * Measures a world under the tiers, under the adaptive policy with all and with two fifths of the requests, and under
 * an optimum that knows the rates.
 */
export function measured(plan: NamedPlan): Measurement[] {
  const world = makeWorld(plan);
  const byTiers = simulate(world, { policy: tiers });
  const adapted = simulate(world, { policy: adaptive });
  const fewer = simulate(world, { policy: adaptive, budgetShare: TARGETS.fewer - TARGETS.requests / 2 });
  const known = world.sources.every(({ rate }) => rate) ? simulate(world, { policy: knowing, knownPerDay }) : undefined;
  const rows = [
    { what: plan.name, value: `${delays(byTiers)} by tiers, ${delays(adapted)} adaptive` },
    ...meanAndP95(byTiers, adapted),
    ...(known ? [againstOptimum(adapted, known)] : []),
    requestsOf(byTiers, adapted),
    withFewer(byTiers, fewer),
  ];
  return plan.measured ? rows : rows.map(({ what, value }) => ({ what, value }));
}

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
