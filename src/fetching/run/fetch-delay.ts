interface Discovery {
  publishedAt: Date;
  foundAt: Date;
  /** Time at which the source was added. */
  knownSince: Date;
}

const SECOND_MS = 1_000;

/**
 * Seconds between the publication of a post and its discovery. Undefined for posts published before their source was
 * added and for posts without a date, which are dated within one second of their discovery.
 */
export function fetchDelaySeconds({ publishedAt, foundAt, knownSince }: Discovery): number | undefined {
  if (publishedAt <= knownSince) return undefined;
  const delayMs = foundAt.getTime() - publishedAt.getTime();
  if (delayMs >= 0 && delayMs < SECOND_MS) return undefined;
  return Math.max(0, delayMs) / SECOND_MS;
}
