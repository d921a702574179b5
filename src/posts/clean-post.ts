import { createHash } from 'node:crypto';
import { storable } from '../platform/jobs/storable.js';
import type { FoundPost, Metrics } from './post.js';

export interface CleanPost extends FoundPost {
  place: number;
  /** Hash of everything except the metrics, which change often and do not require sanitising again. */
  bodyHash: string;
  contentHash: string;
}

export function cleanPosts(found: FoundPost[]): CleanPost[] {
  const once = new Map<string, CleanPost>();
  for (const [place, post] of found.entries()) {
    const clean = cleanPost(post, post.place ?? place);
    if (!once.has(clean.externalId)) once.set(clean.externalId, clean);
  }
  return [...once.values()];
}

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

/** The base URL and the date are left out, because both may differ in every response. */
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
