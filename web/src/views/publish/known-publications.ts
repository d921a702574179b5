import { newestOf } from './newest-of';
import type { Publication } from './publication';

const MAX_REMEMBERED = 500;

/** The latest state from the stream. A response that was under way at the same time may be older. */
const latest = new Map<string, Publication>();

export function remember(publications: Publication[]): void {
  for (const one of publications) {
    latest.delete(one.id);
    latest.set(one.id, one);
  }
  for (const id of latest.keys()) {
    if (latest.size <= MAX_REMEMBERED) break;
    latest.delete(id);
  }
}

export const withLatest = (items: Publication[]): Publication[] => newestOf([...items, ...latest.values()]);

export function newerOf(publication: Publication): Publication {
  const known = latest.get(publication.id);
  return (known && newestOf([publication, known])[0]) ?? publication;
}
