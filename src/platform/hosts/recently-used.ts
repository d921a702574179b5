import type { HostLimit } from './host-limits.table.js';

type Counts = Pick<HostLimit, 'countedIn' | 'used' | 'usedBefore' | 'others' | 'othersBefore'>;
type Span = { used: number; others: number };

const MINUTE_MS = 60_000;
/** Schedules may plan with this share of a limit, however much other requests use. */
const MIN_SHARE = 0.2;

export function usedLastMinute({ countedIn, used, usedBefore, others, othersBefore }: Counts, now: Date): Span {
  const passed = (now.getTime() - countedIn.getTime()) / MINUTE_MS;
  if (passed < 1) return weighted({ used, others }, { used: usedBefore, others: othersBefore }, Math.max(passed, 0));
  return passed < 2 ? weighted({ used: 0, others: 0 }, { used, others }, passed - 1) : { used: 0, others: 0 };
}

export function leftForPlanned(limit: Counts & Pick<HostLimit, 'perMinute'>, now: Date): number {
  const { others } = usedLastMinute(limit, now);
  return Math.max(limit.perMinute - others, limit.perMinute * MIN_SHARE);
}

function weighted(now: Span, before: Span, passed: number): Span {
  const add = (a: number, b: number) => Math.round(a + b * (1 - passed));
  return { used: add(now.used, before.used), others: add(now.others, before.others) };
}
