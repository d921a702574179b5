/** Runs that ended, and those of them that failed. */
export interface EndedRuns {
  ended: number;
  endedBadly: number;
}

export interface RecentRuns {
  lastMinute: EndedRuns;
  lastFiveMinutes: EndedRuns;
  failedLately: number;
  /** Failures of the last hour that no success has come after. Work that is seldom done is judged by them. */
  failedInARow: number;
}

interface RateLimits {
  errorsPercent: number;
  /** Fewer runs say nothing. */
  minRuns: number;
}

type EndedMinute = EndedRuns & { at: Date };

const MINUTE_MS = 60_000;
/** Back to the beginning of the minute in which it failed. */
export const LATELY_MS = 90_000;
/** A row of failures counts for this long after the last of them. */
const IN_A_ROW_MS = 15 * MINUTE_MS;

/** Of what ended minute by minute; a minute that a span cuts through counts with the share of it that lies within. */
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

/** What the error rate is judged by: the last minute, or five where that had too few runs to judge by. */
export function judgedRuns({ lastMinute, lastFiveMinutes }: RecentRuns, minRuns: number): EndedRuns & { span: string } {
  if (lastMinute.ended >= minRuns) return { ...lastMinute, span: 'minute' };
  return { ...lastFiveMinutes, span: '5 minutes' };
}

/** Only while something fails: what was repaired is not held against it for five minutes. */
export function tooManyFail(runs: RecentRuns, { errorsPercent, minRuns }: RateLimits): boolean {
  if (runs.failedInARow >= minRuns) return true;
  const { ended, endedBadly } = judgedRuns(runs, minRuns);
  return runs.failedLately > 0 && ended >= minRuns && (100 * endedBadly) / ended > errorsPercent;
}
