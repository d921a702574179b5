interface Discovery {
  publishedAt: Date;
  foundAt: Date;
  /** When its source became known. */
  knownSince: Date;
}

const SECOND_MS = 1_000;

/**
 * How long a post had been out when it was found. What was out before its source was known says nothing; nor does a post
 * without a time of its own, which has that of its discovery, but for its place on the page.
 */
export function fetchDelaySeconds({ publishedAt, foundAt, knownSince }: Discovery): number | undefined {
  if (publishedAt <= knownSince) return undefined;
  const delayMs = foundAt.getTime() - publishedAt.getTime();
  if (delayMs >= 0 && delayMs < SECOND_MS) return undefined;
  return Math.max(0, delayMs) / SECOND_MS;
}
