import { isInFolder } from './folders';
import { type ConditionState, nameOf, type Source } from './source';

export const ORDERS = {
  name: 'Name',
  post: 'Newest post',
  next: 'Next fetch',
  stale: 'Oldest fetch',
  failures: 'Most failures',
} as const;
export type Order = keyof typeof ORDERS;

export interface Arrangement {
  text: string;
  state: ConditionState | '';
  folder: string;
  order: Order;
}

export const ALL_SOURCES: Arrangement = { text: '', state: '', folder: '', order: 'name' };

export function arrangeSources(sources: readonly Source[], { text, state, folder, order }: Arrangement): Source[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return sources
    .filter((source) => {
      if (state && source.condition.state !== state) return false;
      if (folder && !isInFolder(source.folder, folder)) return false;
      const about = `${nameOf(source)} ${source.externalId} ${source.folder ?? ''} ${source.type}`.toLowerCase();
      return words.every((word) => about.includes(word));
    })
    .sort((a, b) => COMPARE[order](a, b) || byName(a, b));
}

const byName = (a: Source, b: Source) => nameOf(a).localeCompare(nameOf(b), undefined, { numeric: true });
const timeOf = (at: string | null, missing: number) => (at === null ? missing : Date.parse(at));

const COMPARE: Record<Order, (a: Source, b: Source) => number> = {
  name: byName,
  post: (a, b) => timeOf(b.lastPostAt, 0) - timeOf(a.lastPostAt, 0),
  next: (a, b) => timeOf(a.nextFetchAt, Number.MAX_SAFE_INTEGER) - timeOf(b.nextFetchAt, Number.MAX_SAFE_INTEGER),
  stale: (a, b) => timeOf(a.lastSuccessAt, 0) - timeOf(b.lastSuccessAt, 0),
  failures: (a, b) => b.consecutiveFailures - a.consecutiveFailures,
};
