import type { Config } from '../../platform/config.js';
import { alertOf, type FoundAlert } from '../../platform/health/alert-catalogue.js';
import type { Feature } from '../../platform/jobs/work-result.js';
import * as alerts from './alert-codes.js';
import { type EndedRuns, judgedRuns, type RecentRuns, tooManyFail } from './error-rate.js';

type Thresholds = Config['alerts'];

/** A target of work, such as a host, that failed in the last five minutes. */
export interface TargetRuns extends EndedRuns {
  target: string;
  failedLately: number;
}

export interface FeatureWork extends Pick<Feature, 'target' | 'sharedCause'> {
  feature: string;
  runs: RecentRuns;
  /** The worst target comes first. */
  targets: TargetRuns[];
}

/** Open dead letters of one queue that are not older than an hour. */
export interface NewDeadLetters {
  queue: string;
  count: number;
}

const LINK = '/health';
/** If more targets fail, they become one alert of the feature. */
const MAX_TARGET_ALERTS = 5;
/** A target with this share of the failures is named as their cause. */
const DOMINANT_SHARE = 0.8;

export function aboutWork(work: FeatureWork[], thresholds: Thresholds): FoundAlert[] {
  return work.flatMap((one) => aboutFeature(one, thresholds));
}

function aboutFeature(work: FeatureWork, thresholds: Thresholds): FoundAlert[] {
  const failing = work.targets.filter((target) => fails(target, thresholds));
  if (!tooManyFail(work.runs, thresholds)) return aboutTargets(work, failing, thresholds);
  const what = describeErrorRate(work, thresholds);
  if (isOurs(work, failing, thresholds)) {
    const message = `${what}, at ${failing.length} ${work.target}s at once. ${work.sharedCause}`;
    return [alertOf(alerts.ERROR_RATE, { severity: 'critical', subject: work.feature, message, link: LINK })];
  }
  const dominant = dominantOf(work);
  const where = dominant ? `, nearly all of them at the ${work.target} ${dominant.target}` : '';
  const message = `${what}${where}. The runs of the feature ${work.feature} say why.`;
  const others = failing.filter((target) => target !== dominant);
  return [
    alertOf(alerts.ERROR_RATE, { subject: work.feature, message, link: LINK }),
    ...aboutTargets(work, others, thresholds),
  ];
}

const fails = ({ ended, endedBadly }: EndedRuns, { targetErrorsPercent }: Thresholds) =>
  (100 * endedBadly) / ended > targetErrorsPercent;

function isOurs({ runs, sharedCause }: FeatureWork, failing: TargetRuns[], thresholds: Thresholds): boolean {
  if (!sharedCause || failing.length < thresholds.targets) return false;
  const judged = judgedRuns(runs, thresholds.minRuns);
  return judged.endedBadly > judged.ended / 2 || runs.failedInARow >= thresholds.minRuns;
}

function dominantOf({ runs, targets: [worst] }: FeatureWork): TargetRuns | undefined {
  return worst && worst.endedBadly >= DOMINANT_SHARE * runs.lastFiveMinutes.endedBadly ? worst : undefined;
}

function describeErrorRate({ feature, runs }: FeatureWork, thresholds: Thresholds): string {
  const { ended, endedBadly, span } = judgedRuns(runs, thresholds.minRuns);
  if (ended < thresholds.minRuns) return `The last ${runs.failedInARow} runs of ${feature} have failed`;
  return (
    `${Math.round(endedBadly)} of the ${Math.round(ended)} runs of ${feature} in the last ${span} failed, more than ` +
    `${thresholds.errorsPercent} %`
  );
}

function aboutTargets(work: FeatureWork, failing: TargetRuns[], { minRuns }: Thresholds): FoundAlert[] {
  const many = failing.filter(({ ended, failedLately }) => ended >= minRuns && failedLately > 0);
  return many.slice(0, MAX_TARGET_ALERTS).map(({ target, ended, endedBadly }) => {
    const message =
      `${endedBadly} of the ${ended} runs of ${work.feature} at the ${work.target} ${target} in the last 5 minutes failed. ` +
      'Others succeed, so the fault is most likely there.';
    return alertOf(alerts.TARGET_FAILING, { subject: `${work.feature} ${target}`, message, link: LINK });
  });
}

export function aboutDeadLetters(letters: NewDeadLetters[], { deadLetters: max }: Thresholds): FoundAlert[] {
  const total = letters.reduce((all, { count }) => all + count, 0);
  if (total <= max) return [];
  const where = letters.map(({ queue, count }) => `${count} in ${queue}`).join(', ');
  const message = `${total} jobs failed for good within the last hour and are open dead letters: ${where}. Fix the cause, then replay or discard them.`;
  return [alertOf(alerts.DEAD_LETTERS_GROWING, { message, link: '/dead-letters' })];
}
