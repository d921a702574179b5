import { useSyncExternalStore } from 'react';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LOOK_AGAIN_MS = 10_000;
const formatter = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

/**
 * "5 min. ago", "in 2 hr."; the exact time when pointed at. Goes on by itself. Reckons from the clock: what has just happened
 * would be in the future of the last look.
 */
export function RelativeTime({ at }: { at: string }) {
  useNow();
  const time = new Date(at);
  return (
    <time dateTime={at} title={time.toLocaleString()}>
      {relativeTime(time.getTime(), Date.now())}
    </time>
  );
}

function relativeTime(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1_000);
  const far = Math.abs(seconds);
  if (far < 10) return seconds > 0 ? 'in a moment' : 'just now';
  if (far < MINUTE) return formatter.format(seconds, 'second');
  if (far < HOUR) return formatter.format(Math.round(seconds / MINUTE), 'minute');
  if (far < DAY) return formatter.format(Math.round(seconds / HOUR), 'hour');
  return formatter.format(Math.round(seconds / DAY), 'day');
}

/** One timer for all that is shown. */
let now = Date.now();
const watchers = new Set<() => void>();
setInterval(() => {
  now = Date.now();
  for (const tell of watchers) tell();
}, LOOK_AGAIN_MS);

export function useNow(): number {
  return useSyncExternalStore(watch, () => now);
}

function watch(tell: () => void): () => void {
  watchers.add(tell);
  return () => watchers.delete(tell);
}
