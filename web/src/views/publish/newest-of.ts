import type { Publication } from './publication';

/** Each once, as it is now: whatever happens to a publication, its history grows. */
export function newestOf(publications: Iterable<Publication>): Publication[] {
  const newest = new Map<string, Publication>();
  for (const one of publications) {
    const known = newest.get(one.id);
    if (!known || known.version < one.version || known.history.length < one.history.length) newest.set(one.id, one);
  }
  return [...newest.values()];
}
