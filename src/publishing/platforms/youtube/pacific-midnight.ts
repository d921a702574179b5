const CLOCK = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Los_Angeles',
  hourCycle: 'h23',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});
const HOUR_MS = 3_600_000;

/** Google's daily quotas reset at midnight in California. */
export function nextPacificMidnight(now: Date): Date {
  const elapsed = elapsedOfDay(now);
  const guess = new Date(now.getTime() - now.getUTCMilliseconds() + 24 * HOUR_MS - elapsed);
  // A day on which clocks change has 23 or 25 hours, so the guess may be an hour late or early.
  const off = elapsedOfDay(guess);
  return new Date(guess.getTime() + (off > 12 * HOUR_MS ? 24 * HOUR_MS - off : -off));
}

function elapsedOfDay(at: Date): number {
  const parts = Object.fromEntries(CLOCK.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { hour = 0, minute = 0, second = 0 } = parts;
  return ((hour * 60 + minute) * 60 + second) * 1000;
}
