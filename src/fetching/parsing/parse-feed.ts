import { isUtf8 } from 'node:buffer';
import { DetectError, MalformedError, ParseError } from 'feedsmith';
import { excessOf } from '../../platform/http/bounded-json.js';
import { decodeCharset } from '../../platform/http/decode-charset.js';
import { type FeedDocument, FetchFailure, type ParsedFeed } from '../fetcher.js';
import { innerBase } from './addresses.js';
import type { Channel } from './channel.js';
import { fieldReader } from './fields/field-reader.js';
import { hasSomething, postsOf } from './posts-of.js';
import { type HowToRead, type ReadChannel, readChannel, recoverChannel } from './read-channel.js';
import { splitFeed } from './split/split-feed.js';
import { standAlone } from './split/stand-alone.js';
import { cleanText } from './text/clean-text.js';
import { countItems } from './xml/mark-items.js';
import { prologOf } from './xml/prolog.js';

/** Charset labels that servers and templates often set without regard to the content. */
const CARELESS_LABELS = new Set(['us-ascii', 'ascii', 'iso-8859-1', 'latin1', 'latin-1', 'windows-1252', 'cp1252']);

/** A RangeError means that a deeply nested document has exhausted the stack. */
const NO_FEED = [DetectError, MalformedError, ParseError, RangeError];

export function parseAndJudge(document: FeedDocument): ParsedFeed {
  const feed = parseFeedDocument(document);
  return document.judgeItems ? { ...feed, itemsStandAlone: canBeReadApart(document, feed) } : feed;
}

/** The tags must match what was parsed: one post per item, whose id depends on that item alone. */
function canBeReadApart(document: FeedDocument, { posts, unreadable, repeated, idsDepend }: ParsedFeed): boolean {
  if (unreadable || repeated || idsDepend) return false;
  const split = splitFeed(document);
  return split !== undefined && split.items.length === posts.length && standAlone(split);
}

/** A feed that has items but no posts fails, so that it is not mistaken for an empty feed. */
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

export function readFeed(document: FeedDocument): Channel {
  return readDocument(document).channel;
}

function readDocument({ body, contentType, contentLocation, url, fields }: FeedDocument): ReadChannel {
  const text = cleanText(decodeFeed(body, contentType));
  return channelOf(text, { base: innerBase(url, contentLocation), raw: fields !== undefined });
}

/** Limits of a JSON feed. Millions of empty values are small to send and need half a gigabyte to parse. */
const JSON_FEED = { maxDepth: 100, maxValues: 300_000, maxItems: 20_000 };

function channelOf(text: string, how: HowToRead): ReadChannel {
  refuseExcessiveJson(text);
  refuseExcessiveXml(text);
  const read = attempt(() => readChannel(text, how));
  // If the document mentions items but none was found, damage may have hidden them in comments or texts.
  if (read?.isWhole && (read.channel.items.length > 0 || countItems(text) === 0)) return read;
  const recovered = attempt(() => recoverChannel(text, how));
  if (read?.isWhole && !recovered?.items.length) return read;
  const [channel] = [read?.channel, recovered].filter((one) => one !== undefined).toSorted(byItems);
  if (!channel) throw new FetchFailure('INVALID_CONTENT', describeDocument(text));
  return { channel, isWhole: false };
}

/** Includes HTML in texts. The parser needs up to 150 bytes for each tag. Large feeds have a fifth of this number. */
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

export function decodeFeed(bytes: Uint8Array, contentType?: string): string {
  if (isUtf32(bytes)) return decodeUtf32(bytes);
  const label = charsetOf(contentType) ?? declaredCharset(bytes);
  if (isCarelessLabel(label) && isUtf8(bytes)) return decodeCharset(bytes, 'text/xml; charset=utf-8');
  const text = decodeCharset(bytes, contentType);
  if (!text.includes('\ufffd') || isUtf8(bytes)) return text;
  return better(text, decodeCharset(bytes, fallbackContentType(bytes, contentType)));
}

/** The last resort is windows-1252, which always decodes. */
function fallbackContentType(bytes: Uint8Array, contentType: string | undefined): string {
  const declared = charsetOf(contentType) ? declaredCharset(bytes) : undefined;
  return `text/xml; charset=${declared ?? 'windows-1252'}`;
}

/** A few invalid bytes are accepted. If most non-ASCII bytes are invalid, the charset is wrong. */
function better(text: string, other: string): string {
  const bad = count(text, /\ufffd/g);
  const good = count(text, /[^\0-\x7f\ufffd]/g);
  return bad > good ? other : text;
}

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}

function isCarelessLabel(label: string | undefined): boolean {
  return label !== undefined && CARELESS_LABELS.has(label);
}

function charsetOf(contentType = ''): string | undefined {
  return /;\s*charset\s*=\s*["']?\s*([^\s"';]+)/i.exec(contentType)?.[1]?.toLowerCase();
}

function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  return /^[^<]*<\?xml[^>]*?\sencoding\s*=\s*["']\s*([\w.:-]+)/i.exec(head)?.[1]?.toLowerCase();
}

function isUtf32(bytes: Uint8Array): boolean {
  return bigEndian(bytes) !== undefined;
}

function decodeUtf32(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const littleEndian = !bigEndian(bytes);
  const pieces: string[] = [];
  for (let at = 0; at + 4 <= view.byteLength; at += 4) {
    const code = view.getUint32(at, littleEndian);
    if (code !== 0xfeff) pieces.push(code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code));
  }
  return pieces.join('');
}

function bigEndian([a, b, c, d]: Uint8Array): boolean | undefined {
  if (a === 0 && b === 0 && ((c === 0xfe && d === 0xff) || (c === 0 && d === 0x3c))) return true;
  if (c === 0 && d === 0 && ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0))) return false;
  return undefined;
}
