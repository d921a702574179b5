import type { Publication } from './publication';

/** Keeps the newest state of each publication. The version or the history grows with every change. */
export function newestOf(publications: Iterable<Publication>): Publication[] {
  const newest = new Map<string, Publication>();
  for (const one of publications) {
    const known = newest.get(one.id);
    if (!known || known.version < one.version || known.history.length < one.history.length) newest.set(one.id, one);
  }
  return [...newest.values()];
}
