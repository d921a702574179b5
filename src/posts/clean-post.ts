import { createHash } from 'node:crypto';
import { storable } from '../platform/queue/storable.js';
import type { FoundPost, Metrics } from './post.js';

/** A post that PostgreSQL can store, and hashes that tell whether it has changed. */
export interface CleanPost extends FoundPost {
  /** Where it stood in what the source sent. */
  place: number;
  /** Of all but the metrics, which change often and need no new reading. */
  bodyHash: string;
  contentHash: string;
}

/** Each post once; of doubles the first. */
export function cleanPosts(found: FoundPost[]): CleanPost[] {
  const once = new Map<string, CleanPost>();
  for (const [place, post] of found.entries()) {
    const clean = cleanPost(post, post.place ?? place);
    if (!once.has(clean.externalId)) once.set(clean.externalId, clean);
  }
  return [...once.values()];
}

/** How PostgreSQL finds an external id: see the index `posts_identity`. */
export function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

export const bodyHashIn = (contentHash: string): string => contentHash.slice(0, BODY_DIGITS);

const BODY_DIGITS = 40;
const METRICS_DIGITS = 16;

function cleanPost(post: FoundPost, place: number): CleanPost {
  const clean = storable(post);
  const metrics = cleanMetrics(clean.metrics);
  const bodyHash = hashOf(bodyOf(clean), BODY_DIGITS);
  const contentHash = bodyHash + hashOf([metrics?.likes, metrics?.comments, metrics?.shares], METRICS_DIGITS);
  return { ...clean, metrics, externalId: clean.externalId || bodyHash, place, bodyHash, contentHash };
}

/** In one order, however the fields came. The base and the date are left out: both may be others in every answer. */
function bodyOf({ url, title, content, author, media }: FoundPost): unknown[] {
  const { username, displayName, avatarUrl } = author;
  return [url, title, content, [username, displayName, avatarUrl], media.map(({ url, type, alt }) => [url, type, alt])];
}

function hashOf(value: unknown, digits: number): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, digits);
}

function cleanMetrics(metrics: Metrics | undefined): Metrics | undefined {
  const counts = Object.entries(metrics ?? {}).filter(([, count]) => Number.isFinite(count));
  return counts.length ? Object.fromEntries(counts) : undefined;
}
