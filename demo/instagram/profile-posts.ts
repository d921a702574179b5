import { type Age, postCount, postTime } from '../feeds/post-times.js';
import { SeededRandom } from '../seeded-random.js';
import { writeArticle } from '../text/write-article.js';
import type { Profile } from './profiles.js';

export interface PicturePost {
  number: number;
  caption: string;
  publishedAt: Date;
  likes: number;
  comments: number;
}

export interface Asked {
  now: Date;
  /** Older than the post of this number; the newest if there is none. */
  before: number | undefined;
  count: number;
}

/** After so long a post has two thirds of the likes that it will get. */
const GLORY_MS = 6 * 3_600_000;
/** Of so many who like a post one says something. */
const TALKATIVE = 25;

/** Newest first. */
export function pageOfProfile(profile: Profile, age: Age, { now, before, count }: Asked) {
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
  const likes = Math.round(fame * (0.5 + random.next()) * (1 - Math.exp(-seenMs / GLORY_MS)));
  const caption = [title, paragraphs[0], hashtags].filter(Boolean).join('\n\n');
  return { number, caption, publishedAt, likes, comments: Math.floor(likes / TALKATIVE) };
}
