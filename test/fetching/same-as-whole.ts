import { isDeepStrictEqual } from 'node:util';
import { type FeedDocument, FetchFailure, type ParsedFeed } from '../../src/fetching/fetcher.js';
import { parseFeed } from '../../src/fetching/parsing/parse-feed.js';
import { readNewItems } from '../../src/fetching/parsing/split/read-new-items.js';
import type { FoundPost } from '../../src/posts/post.js';

export type Way = 'nothing new' | 'in part' | 'whole';

/** One document is read several times here. */
const read = new WeakMap<Uint8Array, ParsedFeed>();

async function parse(document: FeedDocument): Promise<ParsedFeed> {
  const feed = read.get(document.body) ?? parseFeed({ ...document, judgeItems: true });
  read.set(document.body, feed);
  return feed;
}

/**
 * Reads a feed twice, the second time by what was kept of the first, and tells which way that went. Fails if anything that
 * would be stored is not what reading all of it comes to.
 */
export async function readTwice(before: FeedDocument, after: FeedDocument): Promise<Way> {
  const first = await readNewItems(before, { parse });
  const second = await readNewItems(after, { parse, digests: async () => first?.digests ?? null });
  if (!first) throw new Error('nothing is new at first');
  compare(first.feed, second?.feed, await parse(after));
  if (!second) return 'nothing new';
  return second.partly ? 'in part' : 'whole';
}

/** Whether the document can be read. */
export async function isFeed(document: FeedDocument): Promise<boolean> {
  try {
    await parse(document);
    return true;
  } catch (error) {
    if (error instanceof FetchFailure) return false;
    throw error;
  }
}

function compare(first: ParsedFeed, second: ParsedFeed | undefined, whole: ParsedFeed): void {
  const stored = new Map(first.posts.map((post) => [post.externalId, post]));
  const found = new Map(second?.posts.map((post, at) => [post.externalId, { post, place: post.place ?? at }]));
  for (const [place, post] of whole.posts.entries()) {
    const news = found.get(post.externalId);
    if (!news && !stored.has(post.externalId)) throw new Error(`the post ${post.externalId} was not found`);
    mustBeEqual(news?.post ?? stored.get(post.externalId), post);
    if (news && news.place !== place) throw new Error(`${post.externalId} is at ${place}, not ${news.place}`);
    found.delete(post.externalId);
  }
  if (found.size > 0) throw new Error(`${[...found.keys()]} is not in the feed`);
  mustBeEqual(aboutItself(second ?? first), aboutItself(whole));
}

function aboutItself({ posts: _, unreadable, repeated, idsDepend, itemsStandAlone, ...said }: ParsedFeed) {
  return said;
}

function mustBeEqual(got: unknown, wanted: unknown): void {
  const [left, right] = [got, wanted].map(withoutPlace);
  if (!isDeepStrictEqual(left, right)) {
    throw new Error(`\ngot    ${JSON.stringify(left)}\nwanted ${JSON.stringify(right)}`);
  }
}

function withoutPlace(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { place: _, ...rest } = value as FoundPost;
  return rest;
}
