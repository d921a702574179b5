import { type Age, postCount, postTime } from '../feeds/post-times.js';
import { SeededRandom } from '../seeded-random.js';
import { writeArticle } from '../text/write-article.js';
import type { Profile } from './profiles.js';

interface PicturePost {
  number: number;
  caption: string;
  publishedAt: Date;
  likes: number;
  comments: number;
}

interface PageRequest {
  now: Date;
  /** Selects posts older than the one of this number; the newest if it is undefined. */
  before: number | undefined;
  count: number;
}

/** After this time a post has two thirds of its final likes. */
const LIKES_TIME_MS = 6 * 3_600_000;
/** One in this many users who like a post also comments on it. */
const LIKES_PER_COMMENT = 25;

/** Newest first. */
export function pageOfProfile(profile: Profile, age: Age, { now, before, count }: PageRequest) {
  const newest = Math.min(postCount(profile, age, now), (before ?? Number.POSITIVE_INFINITY) - 1);
  const oldest = Math.max(1, newest - count + 1);
  const numbers = Array.from({ length: Math.max(0, newest - oldest + 1) }, (_, at) => newest - at);
  return { posts: numbers.map((number) => picturePost(profile, number, { age, now })), hasMore: oldest > 1 };
}

export function picturePost(profile: Profile, number: number, { age, now }: { age: Age; now: Date }): PicturePost {
  const { slug, subject, place, fullName, hashtags, fame } = profile;
  const random = new SeededRandom(age.seed, slug, number);
  const { title, paragraphs } = writeArticle(subject, { place, publication: fullName }, random);
  const publishedAt = postTime(profile, number, age);
  const seenMs = Math.max(0, now.getTime() - publishedAt.getTime());
  const likes = Math.round(fame * (0.5 + random.next()) * (1 - Math.exp(-seenMs / LIKES_TIME_MS)));
  const caption = [title, paragraphs[0], hashtags].filter(Boolean).join('\n\n');
  return { number, caption, publishedAt, likes, comments: Math.floor(likes / LIKES_PER_COMMENT) };
}
