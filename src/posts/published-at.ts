import type { PostTime } from './post.js';

/** Earlier dates come from clocks that were never set. */
const EARLIEST = Date.UTC(1971, 0, 1);
/** Tolerance for clocks that are ahead of ours. */
const AHEAD_MS = 10 * 60_000;

export function believable(said: Date | undefined, now: Date): Date | undefined {
  const time = said?.getTime() ?? Number.NaN;
  return time >= EARLIEST && time <= now.getTime() + AHEAD_MS ? said : undefined;
}

/** The first post without a date in a document is the newest. */
export function newTime(said: Date | undefined, { now, place }: { now: Date; place: number }): PostTime {
  const stated = believable(said, now);
  return { publishedAt: stated ?? new Date(now.getTime() - place), dated: stated !== undefined };
}

/** Keeps the earliest stated time, because a date that changes with every fetch would move old posts to the top. */
export function keptTime(stored: PostTime, said: Date | undefined, now: Date): PostTime {
  const stated = believable(said, now);
  return stated && stated < stored.publishedAt ? { publishedAt: stated, dated: true } : stored;
}
