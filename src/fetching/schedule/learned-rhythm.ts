import type { PostTime } from '../../posts/post.js';
import type { FetchState } from '../../sources/fetch-states.table.js';
import { learn, packRhythm, postsPerDay, unpackRhythm } from '../intervals/adaptive/rhythm.js';

type LearnedRhythm = Pick<FetchState, 'rhythm' | 'rhythmAt' | 'postsPerDay'>;

/** New posts older than the last fetch by this much are ignored: the feed has changed all its ids or is an archive. */
const OLD_NEWS_SECONDS = 86_400;

interface FetchedTimes {
  now: Date;
  published: PostTime[];
  cut?: boolean | undefined;
}

export function learnedRhythm(
  { rhythm, rhythmAt }: Pick<FetchState, 'rhythm' | 'rhythmAt'>,
  { published, cut = false, now }: FetchedTimes,
): LearnedRhythm {
  const at = now.getTime() / 1_000;
  const since = rhythm && rhythmAt ? Math.min(rhythmAt.getTime() / 1_000, at) : null;
  const before = rhythm && since !== null ? unpackRhythm(rhythm, since) : null;
  const learned = learn(before, { at, since, published: timesSince(since, published, now), cut });
  // The column type is `real`: values too small for it become 0, where PostgreSQL would report an error.
  return { rhythm: packRhythm(learned).map(Math.fround), rhythmAt: now, postsPerDay: postsPerDay(learned) };
}

/** Posts without a date are spread over the time since the last fetch. At the first fetch they are ignored. */
function timesSince(since: number | null, published: PostTime[], now: Date): number[] {
  const at = now.getTime() / 1_000;
  const dated = published.filter((post) => post.dated).map(({ publishedAt }) => publishedAt.getTime() / 1_000);
  if (since === null) return dated;
  const news = dated.filter((time) => time > since - OLD_NEWS_SECONDS).map((time) => Math.max(time, since));
  return [...news, ...spread(published.length - dated.length, since, at)];
}

function spread(count: number, from: number, to: number): number[] {
  return Array.from({ length: count }, (_, place) => from + ((place + 0.5) / count) * (to - from));
}
