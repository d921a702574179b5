import { hash } from 'node:crypto';
import { storable, storableText } from '../platform/jobs/storable.js';
import type { Author, FoundPost, Media, Metrics } from './post.js';

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
  return hash('md5', text, 'hex');
}

export const bodyHashIn = (contentHash: string): string => contentHash.slice(0, BODY_DIGITS);

type Body = Pick<FoundPost, 'url' | 'title' | 'content' | 'author' | 'media'>;

const BODY_DIGITS = 40;
const METRICS_DIGITS = 16;

function cleanPost(post: FoundPost, place: number): CleanPost {
  const url = cleanText(post.url);
  const title = cleanText(post.title);
  const content = storableText(post.content);
  const author = cleanAuthor(post.author);
  const media = post.media.map(cleanMedia);
  const metrics = post.metrics && cleanMetrics(post.metrics);
  const bodyHash = hashOf(bodyOf({ url, title, content, author, media }), BODY_DIGITS);
  return {
    externalId: storableText(post.externalId) || bodyHash,
    url,
    title,
    content,
    contentBase: cleanText(post.contentBase),
    author,
    media,
    metrics,
    publishedAt: post.publishedAt,
    place,
    fields: post.fields && storable(post.fields),
    bodyHash,
    contentHash: bodyHash + (metrics ? metricsHash(metrics) : NO_METRICS_HASH),
  };
}

function cleanAuthor({ username, displayName, avatarUrl }: Author): Author {
  return {
    username: storableText(username),
    displayName: storableText(displayName),
    avatarUrl: cleanText(avatarUrl),
  };
}

function cleanMedia({ url, type, alt }: Media): Media {
  return { url: storableText(url), type: cleanText(type), alt: cleanText(alt) };
}

function cleanText<T extends string | undefined>(text: T): T {
  return (text && storableText(text)) as T;
}

function cleanMetrics(metrics: Metrics): Metrics | undefined {
  const counts = Object.entries(metrics).filter(([, count]) => Number.isFinite(count));
  return counts.length ? Object.fromEntries(counts) : undefined;
}

/**
 * The base URL and the date are left out, because both may differ in every response. Stored hashes must keep their
 * value, or else every stored post would look changed after an upgrade.
 */
function bodyOf({ url, title, content, author, media }: Body): unknown[] {
  const { username, displayName, avatarUrl } = author;
  return [url, title, content, [username, displayName, avatarUrl], media.map(({ url, type, alt }) => [url, type, alt])];
}

const metricsHash = ({ likes, comments, shares }: Metrics): string => hashOf([likes, comments, shares], METRICS_DIGITS);

const NO_METRICS_HASH = metricsHash({});

function hashOf(value: unknown, digits: number): string {
  return hash('sha256', JSON.stringify(value), 'hex').slice(0, digits);
}
