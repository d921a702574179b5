import type { PostTime } from '../../posts/post.js';
import type { FetchState } from '../../sources/fetch-states.table.js';
import { learn, learnEmpty, packRhythm, postsPerDay, type Rhythm, unpackRhythm } from '../intervals/adaptive/rhythm.js';

type LearnedRhythm = Pick<FetchState, 'rhythm' | 'rhythmAt' | 'postsPerDay'>;

/** New posts older than the last fetch by this much are ignored: the feed has changed all its ids or is an archive. */
const OLD_NEWS_SECONDS = 86_400;

interface FetchedTimes {
  now: Date;
  published: PostTime[];
  cut?: boolean | undefined;
}

export function learnedRhythm(
  { rhythm, rhythmAt, lastSuccessAt }: Pick<FetchState, 'rhythm' | 'rhythmAt' | 'lastSuccessAt'>,
  { published, cut = false, now }: FetchedTimes,
): LearnedRhythm {
  const since = rhythm && rhythmAt ? Math.min(rhythmAt.getTime(), now.getTime()) / 1_000 : null;
  const before = rhythm && since !== null ? unpackRhythm(rhythm, since) : null;
  const isEmpty = lastSuccessAt === null && !before && !published.length;
  const learned = isEmpty ? learnEmpty(now.getTime() / 1_000) : learnedFrom(before, { published, cut, now });
  return { rhythm: packRhythm(learned), rhythmAt: now, postsPerDay: postsPerDay(learned) };
}

/** Posts without a date are spread over the time since the last fetch. At the first fetch they are ignored. */
function learnedFrom(before: Rhythm | null, { published, cut, now }: FetchedTimes & { cut: boolean }): Rhythm {
  const at = now.getTime() / 1_000;
  if (before && !published.length) return learn(before, { at, since: before.at, published: [], cut });
  const dated = published.filter((post) => post.dated).map(({ publishedAt }) => publishedAt.getTime() / 1_000);
  if (!before) return learn(null, { at, since: null, published: dated });
  const since = before.at;
  const news = dated.filter((time) => time > since - OLD_NEWS_SECONDS).map((time) => Math.max(time, since));
  const guessed = spread(published.length - dated.length, since, at);
  return learn(before, { at, since, published: news, guessed, cut });
}

function spread(count: number, from: number, to: number): number[] {
  if (!count) return [];
  return Array.from({ length: count }, (_, place) => from + ((place + 0.5) / count) * (to - from));
}
