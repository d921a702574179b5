import { hash } from 'node:crypto';
import { type FeedDocument, FetchFailure, type ParsedFeed, type ParseFeed } from '../../fetcher.js';
import { type SplitFeed, splitFeed } from './split-feed.js';

/** Bytes of the digest of an item and of its id. A source whose items collide harms only itself. */
const DIGEST = 8;

const CONTEXT = 20;

const PAIR = 2 * DIGEST;

/** Creation times of the feed. Many servers change them with every response, and they do not affect items. */
const TIMES = /(<((?:[\w.-]{1,99}:)?(?:lastBuildDate|pubDate|updated|modified|date))>)[^<>=]*(?=<\/\2>)/gi;

const REMARKS = /<!--[^<>=]*-->/g;

interface HowToRead {
  parse: ParseFeed;
  digests?: (() => Promise<Uint8Array | null>) | undefined;
}

export interface NewItems {
  feed: ParsedFeed;
  digests?: Uint8Array | undefined;
  partly: boolean;
}

interface HashedFeed {
  document: FeedDocument;
  split: SplitFeed;
  context: string;
  hashes: string[];
}

/**
 * Items are compared by their bytes. Changed items are parsed in a smaller document with the same head and tail. If
 * that could give another result, the whole document is parsed. Undefined: nothing has changed.
 */
export async function readNewItems(
  document: FeedDocument,
  { parse, digests }: HowToRead,
): Promise<NewItems | undefined> {
  const hashed = hashItems(document);
  if (!hashed) return { feed: await parse(document), partly: false };
  const bytes = await digests?.();
  const known = bytes ? decodeDigests(bytes) : undefined;
  const unknown = known && unknownItems(hashed, known);
  if (unknown?.length === 0) return undefined;
  const part = known && unknown && (await readPart(hashed, { known, unknown, parse }));
  return part ?? readAll(hashed, parse);
}

function hashItems(document: FeedDocument): HashedFeed | undefined {
  const split = splitFeed(document);
  if (!split) return undefined;
  const hashes = split.items.map(({ start, end }) => digestOf(document.body.subarray(start, end)));
  return { document, split, hashes, context: feedContext(split, document) };
}

/** Undefined: the changed items cannot be determined or are too many to gain anything. */
function unknownItems({ context, hashes }: HashedFeed, known: ItemDigests): number[] | undefined {
  if (context !== known.context || new Set(hashes).size < hashes.length) return undefined;
  const unknown = hashes.flatMap((hash, place) => (known.ids.has(hash) ? [] : place));
  return unknown.length * 2 > hashes.length ? undefined : unknown;
}

interface Part {
  known: ItemDigests;
  unknown: number[];
  parse: ParseFeed;
}

async function readPart(hashed: HashedFeed, { known, unknown, parse }: Part): Promise<NewItems | undefined> {
  const { document, hashes, context } = hashed;
  const feed = await parseOrRefuse({ ...document, body: withItems(hashed, unknown), judgeItems: true }, parse);
  if (!feed?.itemsStandAlone || feed.posts.length !== unknown.length) return undefined;
  const posts = feed.posts.map((post, at) => ({ ...post, place: unknown[at] }));
  const newIds = new Map(posts.map(({ externalId, place = 0 }) => [hashes[place] ?? '', digestOf(externalId)]));
  const ids = new Map(hashes.map((hash) => [hash, known.ids.get(hash) ?? newIds.get(hash) ?? '']));
  // If ids collide, the whole feed is needed to make them unique.
  if (new Set(ids.values()).size < ids.size) return undefined;
  return { feed: { ...feed, posts }, digests: encodeDigests({ context, ids }), partly: true };
}

/** Part of a feed may be rejected even if the whole is not. */
async function parseOrRefuse(document: FeedDocument, parse: ParseFeed): Promise<ParsedFeed | undefined> {
  try {
    return await parse(document);
  } catch (error) {
    if (error instanceof FetchFailure && error.code === 'INVALID_CONTENT') return undefined;
    throw error;
  }
}

function withItems({ document: { body }, split: { items } }: HashedFeed, places: number[]): Uint8Array {
  const chosen = places.flatMap((place) => items[place] ?? []);
  return Buffer.concat([
    body.subarray(0, items[0]?.start),
    ...chosen.map(({ start, end }) => body.subarray(start, end)),
    body.subarray(items.at(-1)?.end),
  ]);
}

async function readAll({ document, hashes, context }: HashedFeed, parse: ParseFeed): Promise<NewItems> {
  const feed = await parse({ ...document, judgeItems: true });
  if (!feed.itemsStandAlone) return { feed, partly: false };
  const ids = new Map(feed.posts.map(({ externalId }, place) => [hashes[place] ?? '', digestOf(externalId)]));
  return { feed, digests: encodeDigests({ context, ids }), partly: false };
}

function feedContext({ text, items }: SplitFeed, { url, contentType, contentLocation }: FeedDocument): string {
  const head = text.slice(0, items[0]?.start).trimEnd();
  const tail = text.slice(items.at(-1)?.end).trimStart();
  const around = [head, tail].map((part) => part.replace(TIMES, '$1').replace(REMARKS, ''));
  return contextDigest([...around, url, contentType ?? '', contentLocation ?? '']);
}

/** Digests are strings with one byte per character. */
interface ItemDigests {
  context: string;
  ids: Map<string, string>;
}

function digestOf(part: string | Uint8Array): string {
  return hash('sha1', part, 'binary').slice(0, DIGEST);
}

/** Uses the full digest, because it is compared with every fetch. */
function contextDigest(parts: string[]): string {
  return hash('sha1', parts.join('\0'), 'binary');
}

function encodeDigests({ context, ids }: ItemDigests): Uint8Array {
  return Buffer.from(context + [...ids].flat().join(''), 'latin1');
}

function decodeDigests(bytes: Uint8Array): ItemDigests {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const ids = new Map<string, string>();
  for (let at = CONTEXT; at + PAIR <= text.length; at += PAIR) {
    ids.set(text.slice(at, at + DIGEST), text.slice(at + DIGEST, at + PAIR));
  }
  return { context: text.slice(0, CONTEXT), ids };
}
