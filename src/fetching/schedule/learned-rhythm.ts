import type { FetchState } from '../../sources/fetch-states.table.js';
import { learn, packRhythm, postsPerDay, unpackRhythm } from '../intervals/adaptive/rhythm.js';

/** What a row keeps of when its source posts. */
type LearnedRhythm = Pick<FetchState, 'rhythm' | 'rhythmAt' | 'postsPerDay'>;

/** A post without a time of its own bears that of its discovery, but for its place on the page. */
const OWN_TIME_MS = 1_000;
/** What is new and yet this much older than the last look is no news: a feed that has changed all its ids, or an archive. */
const OLD_NEWS_SECONDS = 86_400;

interface Seen {
  now: Date;
  /** When the posts were published that were not known. */
  published: Date[];
  /** All that was shown was new: more may have come and gone unseen. */
  cut?: boolean | undefined;
}

/** What a source's rhythm is after it was seen. */
export function learnedRhythm(
  { rhythm, rhythmAt }: Pick<FetchState, 'rhythm' | 'rhythmAt'>,
  { published, cut = false, now }: Seen,
): LearnedRhythm {
  const at = now.getTime() / 1_000;
  const since = rhythm && rhythmAt ? Math.min(rhythmAt.getTime() / 1_000, at) : null;
  const before = rhythm && since !== null ? unpackRhythm(rhythm, since) : null;
  const learned = learn(before, { at, since, published: timesSince(since, published, now), cut });
  // As `real` keeps them: what has faded below all it can say is nothing, and not an error.
  return { rhythm: packRhythm(learned).map(Math.fround), rhythmAt: now, postsPerDay: postsPerDay(learned) };
}

/** Posts without a time came at some time since the last look. Of the history at the first one they say nothing. */
function timesSince(since: number | null, published: Date[], now: Date): number[] {
  const at = now.getTime() / 1_000;
  const dated = published.filter((time) => time.getTime() <= now.getTime() - OWN_TIME_MS).map(toSeconds);
  if (since === null) return dated;
  const news = dated.filter((time) => time > since - OLD_NEWS_SECONDS).map((time) => Math.max(time, since));
  return [...news, ...spread(published.length - dated.length, since, at)];
}

function spread(count: number, from: number, to: number): number[] {
  return Array.from({ length: count }, (_, place) => from + ((place + 0.5) / count) * (to - from));
}

const toSeconds = (time: Date) => time.getTime() / 1_000;
