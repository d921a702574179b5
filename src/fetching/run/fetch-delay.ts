import type { PostTime } from '../../posts/post.js';

interface Discovery extends PostTime {
  foundAt: Date;
  knownSince: Date;
}

/** Undefined for posts published before their source was added and for posts without a date. */
export function fetchDelaySeconds({ publishedAt, dated, foundAt, knownSince }: Discovery): number | undefined {
  if (!dated || publishedAt <= knownSince) return undefined;
  return Math.max(0, foundAt.getTime() - publishedAt.getTime()) / 1_000;
}
