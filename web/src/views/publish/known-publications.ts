import { newestOf } from './newest-of';
import type { Publication } from './publication';

const MAX_REMEMBERED = 500;

/** What the stream has told last. An answer that was on its way meanwhile may be older. */
const told = new Map<string, Publication>();

export function remember(publications: Publication[]): void {
  for (const one of publications) {
    told.delete(one.id);
    told.set(one.id, one);
  }
  for (const id of told.keys()) {
    if (told.size <= MAX_REMEMBERED) break;
    told.delete(id);
  }
}

/** The answer with what is known to have happened since. */
export const notOlderThanTold = (items: Publication[]): Publication[] => newestOf([...items, ...told.values()]);

export function newerOf(publication: Publication): Publication {
  const known = told.get(publication.id);
  return (known && newestOf([publication, known])[0]) ?? publication;
}
