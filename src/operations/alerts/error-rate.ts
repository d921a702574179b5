export interface EndedRuns {
  ended: number;
  endedBadly: number;
}

export interface RecentRuns {
  lastMinute: EndedRuns;
  lastFiveMinutes: EndedRuns;
  failedLately: number;
  /** Number of failures in the last hour without a later success. Work that is done rarely is judged by them. */
  failedInARow: number;
}

interface RateLimits {
  errorsPercent: number;
  minRuns: number;
}

type EndedMinute = EndedRuns & { at: Date };

const MINUTE_MS = 60_000;
/** A failure counts as recent for this long, in milliseconds. It covers the whole minute in which it was counted. */
export const LATELY_MS = 90_000;
/** Consecutive failures count for this long after the last one, in milliseconds. */
const IN_A_ROW_MS = 15 * MINUTE_MS;

/** Adds up the counts of minutes. A minute that lies partly in a span counts with that share. */
export function recentRuns(minutes: EndedMinute[], now: Date): RecentRuns {
  const within = (spanMs: number): EndedRuns => {
    const from = now.getTime() - spanMs;
    const share = (at: Date) => Math.min(1, Math.max(0, (at.getTime() + MINUTE_MS - from) / MINUTE_MS));
    const sum = (of: keyof EndedRuns) => minutes.reduce((all, minute) => all + minute[of] * share(minute.at), 0);
    return { ended: sum('ended'), endedBadly: sum('endedBadly') };
  };
  const begun = minutes.filter(({ at }) => at.getTime() >= now.getTime() - LATELY_MS);
  return {
    lastMinute: within(MINUTE_MS),
    lastFiveMinutes: within(5 * MINUTE_MS),
    failedLately: begun.reduce((all, { endedBadly }) => all + endedBadly, 0),
    failedInARow: failedInARow(minutes, now),
  };
}

function failedInARow(minutes: EndedMinute[], now: Date): number {
  const newestFirst = minutes
    .filter(({ ended }) => ended > 0)
    .toSorted((one, other) => other.at.getTime() - one.at.getTime());
  const [last] = newestFirst;
  if (!last || now.getTime() - last.at.getTime() > IN_A_ROW_MS) return 0;
  const firstSuccess = newestFirst.findIndex(({ ended, endedBadly }) => ended > endedBadly);
  const failing = firstSuccess < 0 ? newestFirst : newestFirst.slice(0, firstSuccess);
  return failing.reduce((all, { endedBadly }) => all + endedBadly, 0);
}

export function judgedRuns({ lastMinute, lastFiveMinutes }: RecentRuns, minRuns: number): EndedRuns & { span: string } {
  if (lastMinute.ended >= minRuns) return { ...lastMinute, span: 'minute' };
  return { ...lastFiveMinutes, span: '5 minutes' };
}

/** Returns true only while something fails, so that a repaired feature is not blamed for five more minutes. */
export function tooManyFail(runs: RecentRuns, { errorsPercent, minRuns }: RateLimits): boolean {
  if (runs.failedInARow >= minRuns) return true;
  const { ended, endedBadly } = judgedRuns(runs, minRuns);
  return runs.failedLately > 0 && ended >= minRuns && (100 * endedBadly) / ended > errorsPercent;
}
