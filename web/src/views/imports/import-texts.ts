import { countOf } from '../../design/count-of';
import { duration } from '../../design/duration';
import type { Import } from './use-import';

type Feeds = Import['feeds'];
type Items = Import['items'];

export function feedsText({ total, done, failed }: Feeds): string {
  const ended = `${(done + failed).toLocaleString('en')} of ${countOf(total, 'feed')}`;
  return failed ? `${ended}, ${failed.toLocaleString('en')} failed` : ended;
}

/** `found` may be ahead of the sum of the outcomes while the import runs. */
export function itemsText(items: Items): string {
  const parts = (['new', 'updated', 'unchanged', 'failed'] as const)
    .filter((outcome) => items[outcome] > 0)
    .map((outcome) => `${items[outcome].toLocaleString('en')} ${outcome}`);
  return [countOf(items.found, 'item'), ...parts].join(' · ');
}

type Timed = Pick<Import, 'items' | 'startedAt' | 'completedAt'>;

function secondsOf({ startedAt, completedAt }: Timed, now: number): number {
  const end = completedAt ? Date.parse(completedAt) : now;
  return Math.max(0, (end - Date.parse(startedAt)) / 1_000);
}

/** "3 s, 960 items per second". No rate is shown for the first second. */
export function paceText(run: Timed, now: number): string {
  const seconds = secondsOf(run, now);
  const { new: fresh, updated, unchanged, failed } = run.items;
  const rate = (fresh + updated + unchanged + failed) / seconds;
  if (seconds < 1 || rate === 0) return seconds < 1 ? 'less than a second' : duration(seconds);
  const shown = rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate);
  return `${duration(seconds)}, ${shown.toLocaleString('en')} items per second`;
}

export function optionsText({ follow, full, fields }: Import['options']): string {
  const parts = [
    follow && 'Follows the feeds',
    full && 'Includes archives',
    fields && `Stores ${Object.keys(fields).join(', ')}`,
  ].filter(Boolean);
  return parts.length ? parts.join('. ') : 'Current posts only';
}
