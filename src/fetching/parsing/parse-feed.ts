import { DetectError, MalformedError, ParseError } from 'feedsmith';
import { type FeedDocument, FetchFailure, type ParsedFeed } from '../fetcher.js';
import { innerBase } from './addresses.js';
import type { Channel } from './channel.js';
import { postsOf } from './posts-of.js';
import { readChannel } from './read-channel.js';
import { cleanText } from './text/clean-text.js';
import { decodeFeed } from './text/decode-feed.js';
import { whatItIs } from './what-it-is.js';
import { mendXml } from './xml/mend-xml.js';
import { prepareXml } from './xml/prepare-xml.js';

/** A RangeError is a stack that a document nested too deeply has used up. */
const NO_FEED = [DetectError, MalformedError, ParseError, RangeError];

/** Reads a feed in any format, mending it if need be. Fails with a FetchFailure that says what the document is instead. */
export function parseFeedDocument({ body, contentType, contentLocation, url }: FeedDocument): ParsedFeed {
  const text = cleanText(decodeFeed(body, contentType));
  const { items, ...feed } = channelOf(text, innerBase(url, contentLocation));
  return { ...feed, posts: postsOf(items, feed) };
}

function channelOf(text: string, base: string): Channel {
  const channel = attempt(text, base) ?? (text.includes('<') ? attempt(mendXml(text), base) : undefined);
  if (!channel) throw new FetchFailure('INVALID_CONTENT', whatItIs(text));
  return channel;
}

function attempt(text: string, base: string): Channel | undefined {
  try {
    return readChannel(text.trimStart().startsWith('<') ? prepareXml(text, base) : text, base);
  } catch (error) {
    if (NO_FEED.some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}
