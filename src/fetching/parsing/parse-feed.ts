import { DetectError, MalformedError, ParseError } from 'feedsmith';
import { type FeedDocument, FetchFailure, type ParsedFeed } from '../fetcher.js';
import { innerBase } from './addresses.js';
import type { Channel } from './channel.js';
import { fieldReader } from './fields/field-reader.js';
import { postsOf } from './posts-of.js';
import { type HowToRead, readChannel } from './read-channel.js';
import { cleanText } from './text/clean-text.js';
import { decodeFeed } from './text/decode-feed.js';
import { whatItIs } from './what-it-is.js';
import { mendXml } from './xml/mend-xml.js';

/** A RangeError is a stack that a document nested too deeply has used up. */
const NO_FEED = [DetectError, MalformedError, ParseError, RangeError];

/** Reads a feed in any format, mending it if need be. Fails with a FetchFailure that says what the document is instead. */
export function parseFeedDocument(document: FeedDocument): ParsedFeed {
  const { fields } = document;
  const channel = readFeed(document);
  const { items, author, ...feed } = channel;
  return { ...feed, ...postsOf(channel, fields && fieldReader(fields)) };
}

/** What the document says, before it is decided which of its items are posts and what tells them apart. */
export function readFeed({ body, contentType, contentLocation, url, fields }: FeedDocument): Channel {
  const text = cleanText(decodeFeed(body, contentType));
  return channelOf(text, { base: innerBase(url, contentLocation), raw: fields !== undefined });
}

function channelOf(text: string, how: HowToRead): Channel {
  const read = attempt(text, how);
  if (read?.isWhole) return read.channel;
  const mended = text.includes('<') ? attempt(mendXml(text), how) : undefined;
  const [channel] = [read, mended].flatMap((one) => one?.channel ?? []).toSorted(byItems);
  if (!channel) throw new FetchFailure('INVALID_CONTENT', whatItIs(text));
  return channel;
}

const byItems = (a: Channel, b: Channel) => b.items.length - a.items.length;

function attempt(text: string, how: HowToRead): ReturnType<typeof readChannel> | undefined {
  try {
    return readChannel(text, how);
  } catch (error) {
    if (NO_FEED.some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}
