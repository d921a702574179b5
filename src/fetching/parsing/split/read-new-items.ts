import { type FeedDocument, FetchFailure, type ParsedFeed, type ParseFeed } from '../../fetcher.js';
import { feedContext } from './feed-context.js';
import { digestOf, type ItemDigests, keep, kept } from './item-digests.js';
import { type SplitFeed, splitFeed } from './split-feed.js';

export interface HowToRead {
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
