import { DetectError, MalformedError, ParseError } from 'feedsmith';
import { excessOf } from '../../platform/http/bounded-json.js';
import { type FeedDocument, FetchFailure, type ParsedFeed } from '../fetcher.js';
import { innerBase } from './addresses.js';
import type { Channel } from './channel.js';
import { fieldReader } from './fields/field-reader.js';
import { hasSomething, postsOf } from './posts-of.js';
import { type HowToRead, type ReadChannel, readChannel, recoverChannel } from './read-channel.js';
import { cleanText } from './text/clean-text.js';
import { decodeFeed } from './text/decode-feed.js';
import { whatItIs } from './what-it-is.js';
import { countItems } from './xml/mark-items.js';

/** A RangeError is a stack that a document nested too deeply has used up. */
const NO_FEED = [DetectError, MalformedError, ParseError, RangeError];

/**
 * Reads a feed in any format, item by item if it is damaged. Fails with a FetchFailure that says what the document is instead,
 * or that it has items and no posts: it does not say that its posts are gone.
 */
export function parseFeedDocument(document: FeedDocument): ParsedFeed {
  const { fields } = document;
  const { channel, isWhole } = readDocument(document);
  const { items, author, ...feed } = channel;
  const found = postsOf(channel, fields && fieldReader(fields));
  if (found.posts.length === 0 && (!isWhole || items.length > 0)) {
    const reason = items.length > 0 ? 'its items are empty' : 'it is damaged, and no item was found in it';
    throw new FetchFailure('INVALID_CONTENT', `the feed could not be read: ${reason}`);
  }
  return { ...feed, ...found };
}

/** What the document says, before it is decided which of its items are posts and what tells them apart. */
export function readFeed(document: FeedDocument): Channel {
  return readDocument(document).channel;
}

function readDocument({ body, contentType, contentLocation, url, fields }: FeedDocument): ReadChannel {
  const text = cleanText(decodeFeed(body, contentType));
  return channelOf(text, { base: innerBase(url, contentLocation), raw: fields !== undefined });
}

/** What a JSON feed may hold. Millions of empty values are small to send and need half a gigabyte to be read. */
const JSON_FEED = { maxDepth: 100, maxValues: 300_000, maxItems: 20_000 };

/** A document that is damaged is read once more, item by item; the reading that found more items is the better one. */
function channelOf(text: string, how: HowToRead): ReadChannel {
  refuseExcessiveJson(text);
  refuseExcessiveXml(text);
  const read = attempt(() => readChannel(text, how));
  // Where all items seem to be in comments or texts, damage may have put them there.
  if (read?.isWhole && (read.channel.items.length > 0 || countItems(text) === 0)) return read;
  const recovered = attempt(() => recoverChannel(text, how));
  if (read?.isWhole && !recovered?.items.length) return read;
  const [channel] = [read?.channel, recovered].filter((one) => one !== undefined).toSorted(byItems);
  if (!channel) throw new FetchFailure('INVALID_CONTENT', whatItIs(text));
  return { channel, isWhole: false };
}

/** Tags of a document, those of HTML in its texts included. The parser takes up to 150 bytes for each; large feeds have a fifth of them. */
const MAX_TAGS = 1_000_000;

function refuseExcessiveXml(text: string): void {
  let tags = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    tags += 1;
    if (tags > MAX_TAGS)
      throw new FetchFailure('INVALID_CONTENT', `the feed has more than ${MAX_TAGS.toLocaleString('en')} tags`);
  }
}

function refuseExcessiveJson(text: string): void {
  const [first] = /[^\s]/.exec(text) ?? [];
  if (first === '[') throw new FetchFailure('INVALID_CONTENT', whatItIs(text));
  if (first === '{' && excessOf(text, JSON_FEED))
    throw new FetchFailure('INVALID_CONTENT', 'this JSON holds more than a feed can');
}

const byItems = (a: Channel, b: Channel) => readableItems(b) - readableItems(a);

function readableItems({ items }: Channel): number {
  return items.filter(hasSomething).length;
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (NO_FEED.some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}
