import { DetectError, MalformedError, ParseError } from 'feedsmith';
import { excessOf } from '../../platform/http/bounded-json.js';
import { type FeedDocument, FetchFailure, type ParsedFeed } from '../fetcher.js';
import type { Channel, FeedText, ReadChannel } from './channel.js';
import { feedOf, textOf } from './feed-of.js';
import { hasSomething } from './posts-of.js';
import { readChannel, recoverChannel } from './read-channel.js';
import { countItems } from './xml/mark-items.js';
import { prologOf } from './xml/prolog.js';

/** A RangeError means that a deeply nested document has exhausted the stack. */
const NO_FEED = [DetectError, MalformedError, ParseError, RangeError];

export function parseFeed(document: FeedDocument): ParsedFeed {
  return feedOf(readDocument(document), document);
}

export function readFeed(document: FeedDocument): Channel {
  return readDocument(document).channel;
}

function readDocument(document: FeedDocument): ReadChannel {
  return channelOf(textOf(document));
}

/** Limits of a JSON feed. Millions of empty values are small to send and need half a gigabyte to parse. */
const JSON_FEED = { maxDepth: 100, maxValues: 300_000, maxItems: 20_000 };

function channelOf(feed: FeedText): ReadChannel {
  const { text } = feed;
  refuseExcessiveJson(text);
  refuseExcessiveXml(text);
  const read = attempt(() => readChannel(feed));
  // If the document mentions items but none was found, damage may have hidden them in comments or texts.
  if (read?.isWhole && (read.channel.items.length > 0 || countItems(text) === 0)) return read;
  const recovered = attempt(() => recoverChannel(feed));
  if (read?.isWhole && !recovered?.items.length) return read;
  const [channel] = [read?.channel, recovered].filter((one) => one !== undefined).toSorted(byItems);
  if (!channel) throw new FetchFailure('INVALID_CONTENT', describeDocument(text));
  return { channel, isWhole: false };
}

/** Includes HTML in texts. The parser needs up to 150 bytes for each tag. Large feeds have a fifth of this number. */
const MAX_TAGS = 1_000_000;

function refuseExcessiveXml(text: string): void {
  if (text.length <= MAX_TAGS) return;
  let tags = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    tags += 1;
    if (tags > MAX_TAGS)
      throw new FetchFailure('INVALID_CONTENT', `the feed has more than ${MAX_TAGS.toLocaleString('en')} tags`);
  }
}

function refuseExcessiveJson(text: string): void {
  const [first] = /[^\s]/.exec(text) ?? [];
  if (first === '[') throw new FetchFailure('INVALID_CONTENT', describeDocument(text));
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

function describeDocument(text: string): string {
  const start = text.trimStart().slice(0, 2_000);
  if (!start) return 'the document is empty';
  if (/^[{[]/.test(start)) return 'this is JSON, but not a JSON feed';
  if (/<(?:!doctype\s+html|html|head|body)\b/i.test(start)) return 'this is an HTML page, not a feed';
  const [, root] = /^<([A-Za-z_][\w:.-]*)/.exec(text.slice(prologOf(text).root)) ?? [];
  if (root && /^(?:[\w.-]+:)?(?:rss|rdf|feed)$/i.test(root)) return 'this feed is too broken to be read';
  return root ? `this is an XML document (<${root}>), but not a feed` : 'this is neither XML nor JSON, so not a feed';
}
