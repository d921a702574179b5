import { hash } from 'node:crypto';
import { type FeedDocument, FetchFailure, type ParsedFeed, type ParseFeed } from '../../fetcher.js';
import { type SplitFeed, splitFeed } from './split-feed.js';

/** Of an item, and of the id that came of it. A source that makes two of its items look alike harms itself alone. */
const DIGEST = 8;

const CONTEXT = 20;

const PAIR = 2 * DIGEST;

/** Times at which the feed was made. They change with every answer of many a server, and no item is read by them. */
const TIMES = /(<((?:[\w.-]{1,99}:)?(?:lastBuildDate|pubDate|updated|modified|date))>)[^<>=]*(?=<\/\2>)/gi;

const REMARKS = /<!--[^<>=]*-->/g;

interface HowToRead {
  parse: ParseFeed;
  /** What was kept when the feed was read last, if it may be relied on. */
  digests?: (() => Promise<Uint8Array | null>) | undefined;
}

export interface NewItems {
  feed: ParsedFeed;
  /** To be kept for the next time. */
  digests?: Uint8Array | undefined;
  /** Whether posts of known items were left out. */
  partly: boolean;
}

/** A feed whose items were found by their tags, with the digest of each. */
interface Seen {
  document: FeedDocument;
  split: SplitFeed;
  context: string;
  looks: string[];
}

/**
 * Reads of a feed what was not there when it was read last; nothing where nothing is new. Items are told by their bytes.
 * The unknown ones are read in a document of their own, with all that stands around them. Whenever that might come to
 * anything else than to read the whole, the whole is read.
 */
export async function readNewItems(
  document: FeedDocument,
  { parse, digests }: HowToRead,
): Promise<NewItems | undefined> {
  const seen = look(document);
  if (!seen) return { feed: await parse(document), partly: false };
  const bytes = await digests?.();
  const known = bytes ? kept(bytes) : undefined;
  const unknown = known && unknownItems(seen, known);
  if (unknown?.length === 0) return undefined;
  const part = known && unknown && (await readPart(seen, { known, unknown, parse }));
  return part ?? readAll(seen, parse);
}

function look(document: FeedDocument): Seen | undefined {
  const split = splitFeed(document);
  if (!split) return undefined;
  const looks = split.items.map(({ start, end }) => digestOf(document.body.subarray(start, end)));
  return { document, split, looks, context: feedContext(split, document) };
}

/** Their places; undefined if they cannot be told, or are so many that nothing is gained. */
function unknownItems({ context, looks }: Seen, known: ItemDigests): number[] | undefined {
  if (context !== known.context || new Set(looks).size < looks.length) return undefined;
  const unknown = looks.flatMap((look, place) => (known.ids.has(look) ? [] : place));
  return unknown.length * 2 > looks.length ? undefined : unknown;
}

interface Part {
  known: ItemDigests;
  unknown: number[];
  parse: ParseFeed;
}

async function readPart(seen: Seen, { known, unknown, parse }: Part): Promise<NewItems | undefined> {
  const { document, looks, context } = seen;
  const feed = await parseOrRefuse({ ...document, body: withItems(seen, unknown), judgeItems: true }, parse);
  if (!feed?.itemsStandAlone || feed.posts.length !== unknown.length) return undefined;
  const posts = feed.posts.map((post, at) => ({ ...post, place: unknown[at] }));
  const newIds = new Map(posts.map(({ externalId, place = 0 }) => [looks[place] ?? '', digestOf(externalId)]));
  const ids = new Map(looks.map((look) => [look, known.ids.get(look) ?? newIds.get(look) ?? '']));
  // Items of one id are told apart by more than that, all of them.
  if (new Set(ids.values()).size < ids.size) return undefined;
  return { feed: { ...feed, posts }, digests: keep({ context, ids }), partly: true };
}

/** A part of a feed may be refused where the whole is not. */
async function parseOrRefuse(document: FeedDocument, parse: ParseFeed): Promise<ParsedFeed | undefined> {
  try {
    return await parse(document);
  } catch (error) {
    if (error instanceof FetchFailure && error.code === 'INVALID_CONTENT') return undefined;
    throw error;
  }
}

function withItems({ document: { body }, split: { items } }: Seen, places: number[]): Uint8Array {
  const chosen = places.flatMap((place) => items[place] ?? []);
  return Buffer.concat([
    body.subarray(0, items[0]?.start),
    ...chosen.map(({ start, end }) => body.subarray(start, end)),
    body.subarray(items.at(-1)?.end),
  ]);
}

async function readAll({ document, looks, context }: Seen, parse: ParseFeed): Promise<NewItems> {
  const feed = await parse({ ...document, judgeItems: true });
  if (!feed.itemsStandAlone) return { feed, partly: false };
  const ids = new Map(feed.posts.map(({ externalId }, place) => [looks[place] ?? '', digestOf(externalId)]));
  return { feed, digests: keep({ context, ids }), partly: false };
}

/** Of all that an item's meaning depends on beside itself: what is around the items, where it is from and how it was sent. */
function feedContext({ text, items }: SplitFeed, { url, contentType, contentLocation }: FeedDocument): string {
  const head = text.slice(0, items[0]?.start).trimEnd();
  const tail = text.slice(items.at(-1)?.end).trimStart();
  const around = [head, tail].map((part) => part.replace(TIMES, '$1').replace(REMARKS, ''));
  return contextDigest([...around, url, contentType ?? '', contentLocation ?? '']);
}

/** What the items of a feed looked like, as it is kept; bytes are characters. */
interface ItemDigests {
  /** Of all around the items that they are read by. */
  context: string;
  /** The digest of the id of each item, by that of the item. */
  ids: Map<string, string>;
}

function digestOf(part: string | Uint8Array): string {
  return hash('sha1', part, 'binary').slice(0, DIGEST);
}

/** All of the digest: it is compared again and again. */
function contextDigest(parts: string[]): string {
  return hash('sha1', parts.join('\0'), 'binary');
}

function keep({ context, ids }: ItemDigests): Uint8Array {
  return Buffer.from(context + [...ids].flat().join(''), 'latin1');
}

function kept(bytes: Uint8Array): ItemDigests {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const ids = new Map<string, string>();
  for (let at = CONTEXT; at + PAIR <= text.length; at += PAIR) {
    ids.set(text.slice(at, at + DIGEST), text.slice(at + DIGEST, at + PAIR));
  }
  return { context: text.slice(0, CONTEXT), ids };
}
