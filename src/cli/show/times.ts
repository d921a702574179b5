const STEPS = [
  { seconds: 86_400, name: 'd' },
  { seconds: 3_600, name: 'h' },
  { seconds: 60, name: 'min' },
  { seconds: 1, name: 's' },
] as const;

/** Rounds down to one unit: `3 min`, `2 h`, `5 d`. */
export function howLong(seconds: number): string {
  const { seconds: size, name } = STEPS.find((step) => seconds >= step.seconds) ?? STEPS[3];
  return `${Math.floor(seconds / size)} ${name}`;
}

/** `340 ms`, or `howLong` from a second on. */
export function shortTime(ms: number | null): string | undefined {
  if (ms === null) return undefined;
  return ms < 1_000 ? `${ms} ms` : howLong(ms / 1_000);
}

/** `3 min ago`, `in 2 h`, `now`. */
export function fromNow(moment: string | null | undefined, now = new Date()): string | undefined {
  if (!moment) return undefined;
  const seconds = (Date.parse(moment) - now.getTime()) / 1_000;
  if (Math.abs(seconds) < 1) return 'now';
  return seconds < 0 ? `${howLong(-seconds)} ago` : `in ${howLong(seconds)}`;
}

const clock = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' });

/** `2027-03-29 09:00`, in the time zone of this machine. */
export const localTime = (moment: string | null | undefined) => (moment ? clock.format(new Date(moment)) : undefined);
