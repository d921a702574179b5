/** Warns about a local time that does not exist or exists twice because the clocks change. */
export function timeHint(localTime: string, timezone: string): string | undefined {
  const wallClock = Date.parse(`${localTime}Z`);
  if (Number.isNaN(wallClock)) return undefined;
  const before = offsetAt(wallClock - DAY_MS, timezone);
  const after = offsetAt(wallClock + DAY_MS, timezone);
  if (before === after) return undefined;
  const exists = (offset: number) => offsetAt(wallClock - offset, timezone) === offset;
  const [day, time] = localTime.split('T');
  const zone = timezone.replaceAll('_', ' ');
  if (exists(before) && exists(after))
    return `${time} occurs twice on ${day} in ${zone}, because clocks go back. The post is published the first time.`;
  if (exists(before) || exists(after)) return undefined;
  // Like the API, this uses the offset before the change.
  const shown = new Date(wallClock - before + after).toISOString().slice(11, 16);
  return `${time} does not exist on ${day} in ${zone}, because clocks go forward. The post is published at ${shown}.`;
}

const DAY_MS = 86_400_000;

/** Offset from UTC in milliseconds. */
function offsetAt(moment: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const shown = Date.parse(`${format.format(moment).replace(' ', 'T')}Z`);
  return shown - Math.floor(moment / 1_000) * 1_000;
}
