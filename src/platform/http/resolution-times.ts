const WINDOW_MS = 60_000;
const MAX_SAMPLES = 2_000;
/** Fewer lookups in the window say nothing about name resolution. */
const MIN_LOOKUPS = 10;
/** Unanswered lookups cause a warning from this number on, if they are also this share of all lookups. */
const MIN_UNANSWERED = 50;
const MIN_UNANSWERED_SHARE = 0.25;
const SLOW_MS = 2_000;

/** Background work waits for this multiple of the 90th percentile of recent answers. */
const PATIENCE_FACTOR = 4;
const MIN_PATIENCE_MS = 400;
const MAX_PATIENCE_MS = 3_000;
const DEFAULT_PATIENCE_MS = 1_000;

interface Lookup {
  ms: number;
  /** A name server answered, even if only that there is no such name. */
  isAnswered: boolean;
}

/** `critical`: name resolution as a whole is slow or does not work. `warning`: many names get no answer, others do. */
export interface ResolutionProblem {
  severity: 'warning' | 'critical';
  message: string;
}

export class ResolutionTimes {
  private readonly answered: { at: number; ms: number }[] = [];
  private readonly unanswered: { at: number }[] = [];

  add({ ms, isAnswered }: Lookup, now = performance.now()): void {
    if (isAnswered) this.answered.push({ at: now, ms });
    else this.unanswered.push({ at: now });
    this.dropOld(now);
  }

  problem(now = performance.now()): ResolutionProblem | undefined {
    this.dropOld(now);
    const unanswered = this.unanswered.length;
    const all = this.answered.length + unanswered;
    if (all < MIN_LOOKUPS) return undefined;
    const median = this.quantile(0.5);
    if (median === undefined)
      return { severity: 'critical', message: `does not work: none of ${all} lookups was answered in the last minute` };
    if (median >= SLOW_MS) {
      const seconds = (median / 1_000).toFixed(1);
      const message = `is slow: half of the answers took more than ${seconds} s in the last minute`;
      return { severity: 'critical', message };
    }
    if (unanswered < MIN_UNANSWERED || unanswered < all * MIN_UNANSWERED_SHARE) return undefined;
    const message = `is slow for many names: ${unanswered} of ${all} lookups had no answer in the last minute`;
    return { severity: 'warning', message };
  }

  hasDoubts(now = performance.now()): boolean {
    this.dropOld(now);
    return this.unanswered.length > 0 || this.answered.some(({ ms }) => ms >= SLOW_MS);
  }

  /** The time grows while answers are slow, so that a slow name server is still awaited. */
  patienceMs(now = performance.now()): number {
    this.dropOld(now);
    if (this.answered.length < MIN_LOOKUPS) return DEFAULT_PATIENCE_MS;
    const usual = this.quantile(0.9) ?? DEFAULT_PATIENCE_MS;
    return Math.min(Math.max(PATIENCE_FACTOR * usual, MIN_PATIENCE_MS), MAX_PATIENCE_MS);
  }

  private quantile(share: number): number | undefined {
    const times = this.answered.map(({ ms }) => ms).toSorted((a, b) => a - b);
    return times[Math.floor(times.length * share)];
  }

  private dropOld(now: number): void {
    for (const samples of [this.answered, this.unanswered]) {
      const oldest = now - WINDOW_MS;
      while (samples.length > MAX_SAMPLES || (samples[0] && samples[0].at <= oldest)) samples.shift();
    }
  }
}
