import { SeededRandom } from '../seeded-random.js';
import { type Article, writeArticle } from '../text/write-article.js';
import { type Age, postCount, postTime } from './post-times.js';
import type { Publication } from './publication.js';

export interface WorldPost extends Article {
  number: number;
  publishedAt: Date;
  hasPicture: boolean;
}

/** One in this many posts has a picture. */
const PICTURED = 3;

export function postOf(publication: Publication, number: number, age: Age): WorldPost {
  const { slug, subject, title, place } = publication;
  const random = new SeededRandom(age.seed, slug, number);
  const hasPicture = random.between(1, PICTURED) === 1;
  const article = writeArticle(subject, { place, publication: title }, random);
  return { ...article, number, publishedAt: postTime(publication, number, age), hasPicture };
}

/** A page of the posts that a publication has at a time, newest first. Pages are numbered from 1. */
export function pageOfPosts(
  publication: Publication,
  age: Age,
  { now, page, size }: { now: Date; page: number; size: number },
): { posts: WorldPost[]; hasMore: boolean } {
  const newest = postCount(publication, age, now) - (page - 1) * size;
  const oldest = Math.max(1, newest - size + 1);
  const numbers = Array.from({ length: Math.max(0, newest - oldest + 1) }, (_, at) => newest - at);
  return { posts: numbers.map((number) => postOf(publication, number, age)), hasMore: oldest > 1 };
}
