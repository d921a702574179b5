import { useSyncExternalStore } from 'react';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const POLL_INTERVAL_MS = 10_000;
const formatter = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

/**
 * Shows "5 min. ago" with the exact time as a tooltip. The text is computed from the clock and not from `useNow`, which may lag
 * and would put a recent event in the future.
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

/** All components share one timer. */
let now = Date.now();
const watchers = new Set<() => void>();
setInterval(() => {
  now = Date.now();
  for (const notify of watchers) notify();
}, POLL_INTERVAL_MS);

export function useNow(): number {
  return useSyncExternalStore(watch, () => now);
}

function watch(notify: () => void): () => void {
  watchers.add(notify);
  return () => watchers.delete(notify);
}
