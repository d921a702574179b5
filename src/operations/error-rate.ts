/** Runs that ended, and those of them that failed. */
export interface EndedRuns {
  ended: number;
  endedBadly: number;
}

export interface RecentRuns {
  lastMinute: EndedRuns;
  lastFiveMinutes: EndedRuns;
  failedLately: number;
}

const MINUTE_MS = 60_000;
/** Back to the beginning of the minute in which it failed. */
const LATELY_MS = 90_000;
/** Fewer say nothing. */
const ENOUGH = 20;

/** Of what ended minute by minute; a minute that a span cuts through counts with the share of it that lies within. */
export function recentRuns(minutes: (EndedRuns & { at: Date })[], now: Date): RecentRuns {
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
  };
}

/** What the error rate is judged by: the last minute, or five where that had too few runs to judge by. */
export function judgedRuns({ lastMinute, lastFiveMinutes }: RecentRuns): EndedRuns & { span: string } {
  if (lastMinute.ended >= ENOUGH) return { ...lastMinute, span: 'minute' };
  return { ...lastFiveMinutes, span: '5 minutes' };
}

/** Only while something fails: what was mended is not held against it for five minutes. */
export function tooManyFail(runs: RecentRuns, mostPercent: number): boolean {
  const { ended, endedBadly } = judgedRuns(runs);
  return runs.failedLately > 0 && ended >= ENOUGH && (100 * endedBadly) / ended > mostPercent;
}
