import { type JsonFeed, ParseError, parseFeed } from 'feedsmith';
import { webAddress } from './addresses.js';
import { authorOf, type Person } from './author.js';
import type { Channel, FeedText, Item, ReadChannel } from './channel.js';
import { fromAtom } from './formats/atom.js';
import type { FormatContext } from './formats/context.js';
import { type JsonDocument, jsonDocument, markJsonItems } from './formats/json-document.js';
import { olderPage } from './formats/older-page.js';
import { fromRss } from './formats/rss.js';
import { mediaOf } from './media.js';
import { readPlainChannel } from './plain/read-plain-channel.js';
import { cleanText } from './text/clean-text.js';
import { escapeHtml } from './text/escape-html.js';
import { oneLine } from './text/plain-text.js';
import { countItems, hasLostStarts, markItems } from './xml/mark-items.js';
import { MAX_ITEMS, prepareXml, shapeXml } from './xml/prepare-xml.js';
import { prologOf } from './xml/prolog.js';
import { recoverXml } from './xml/recover-xml.js';

const ITEMS_START = /"items"\s*:\s*\[/;

const IS_FEED = /jsonfeed\.org\/version|"(?:content_html|content_text|date_published|home_page_url|feed_url)"\s*:/;

const OBJECT_START = /(?:[[,]|^)\s*(?=\{)/g;

/** A member with a string value. Its key must not be part of another string. */
const MEMBER = /"(\w{2,20})"\s*:\s*"((?:[^"\\]|\\.)*)"/g;

const HEAD_KEYS = new Set(['title', 'home_page_url', 'feed_url', 'next_url']);

const ITEM_KEYS = new Set(
  'id url external_url title content_html content_text summary image date_published date_modified'.split(' '),
);

/** Objects with one of these keys are items rather than authors or attachments. */
const SIGNS_OF_ITEM = ['id', 'content_html', 'content_text', 'date_published', 'summary'];

/** Maximum number of characters examined, as a multiple of the document length. */
const MAX_EFFORT = 20;

/** Fails with an error of feedsmith if the text cannot be parsed. */
export function readChannel(feed: FeedText): ReadChannel {
  return readPlainChannel(feed) ?? readAnyChannel(feed);
}

/** Reads every format, and what is damaged. */
export function readAnyChannel({ text, base, raw }: FeedText): ReadChannel {
  const json = jsonDocument(text);
  if (json) return { channel: readJson(json, base), isWhole: true };
  const shaped = isXml(text) ? shapeXml(text) : text;
  const unmarked = raw ? undefined : readXml({ base, text: shaped, rawItems: [] });
  const count = countItems(shaped);
  const seemsWhole = count > 0 && unmarked?.items.length === count && !hasLostStarts(shaped, count);
  if (unmarked && seemsWhole) return { channel: unmarked, isWhole: true };
  // The parser drops unmarked empty items. Marking slows parsing, so it is done only if items are missing.
  const marked = markItems(shaped, MAX_ITEMS);
  const isWhole = ({ items }: Channel) => marked.isBalanced && items.length >= marked.rawItems.length;
  if (unmarked && isWhole(unmarked)) return { channel: unmarked, isWhole: true };
  const channel = readXml({ base, ...marked });
  return { channel, isWhole: isWhole(channel) };
}

export function recoverChannel({ text, base, raw }: FeedText): Channel | undefined {
  const json = recoverJson(text);
  if (json) return readJson(json, base);
  const xml = text.includes('<') ? recoverXml(text) : undefined;
  return xml === undefined ? undefined : readAnyChannel({ text: xml, base, raw }).channel;
}

function readJson(json: JsonDocument, base: string): Channel {
  const { document, rawItems } = markJsonItems(json, MAX_ITEMS);
  return read(document, { base, text: '', rawItems });
}

function readXml({ base, text, rawItems }: FormatContext): Channel {
  const prepared = isXml(text) ? prepareXml(text, base) : text;
  return read(prepared, { base, text: prepared, rawItems });
}

function isXml(text: string): boolean {
  return text.trimStart().startsWith('<');
}

function read(document: string | object, context: FormatContext): Channel {
  const parsed = parsedFeed(document);
  switch (parsed.format) {
    case 'rss':
    case 'rdf':
      return fromRss(parsed.feed, context);
    case 'atom':
      return fromAtom(parsed.feed, context);
    case 'json':
      return fromJson(parsed.feed, context);
  }
}

function parsedFeed(document: string | object): ReturnType<typeof parseFeed<string>> {
  try {
    return parseFeed<string>(document, { maxItems: MAX_ITEMS });
  } catch (error) {
    if (error instanceof ParseError && isFeed(document)) return { format: 'rss', feed: {} };
    throw error;
  }
}

/** A feed without any content is still a feed. */
function isFeed(document: string | object): boolean {
  if (typeof document !== 'string') return true;
  return /^<(?:[\w.-]+:)?(?:rss|rdf|feed)[\s>]/i.test(document.slice(prologOf(document).root).slice(0, 200));
}

type Feed = JsonFeed.Feed<string>;
type JsonItem = JsonFeed.Item<string>;

function fromJson(feed: Feed, { base, rawItems }: FormatContext): Channel {
  const selfUrl = webAddress(feed.feed_url, base);
  return {
    title: feed.title && oneLine(feed.title),
    siteUrl: webAddress(feed.home_page_url, base),
    hubUrls: hubsOf(feed, base),
    selfUrl,
    olderUrl: olderPage([{ rel: 'next', href: feed.next_url }], { base, own: [base, selfUrl], text: '' }),
    allows: {},
    author: authorOf(people(feed.authors, base)),
    items: itemsOf(feed, rawItems).map(({ item, raw }) => fromItem(item, base, raw)),
  };
}

function hubsOf({ hubs = [] }: Feed, base: string): string[] {
  const speakWebSub = hubs.filter(({ type }) => !type || /websub/i.test(type));
  return speakWebSub.map(({ url }) => webAddress(url, base)).filter((url) => url !== undefined);
}

function itemsOf({ items = [] }: Feed, rawItems: unknown[]): { item: JsonItem; raw: unknown }[] {
  if (rawItems.length === 0) return items.map((item) => ({ item, raw: undefined }));
  const byMark = new Map(items.map((item) => [Number(item.language), item]));
  return rawItems.map((raw, mark) => ({ item: byMark.get(mark) ?? {}, raw }));
}

function fromItem(item: JsonItem, base: string, raw: unknown): Item {
  const text = item.content_text ?? item.summary;
  return {
    id: item.id,
    url: webAddress(item.url, base) ?? webAddress(item.external_url, base),
    title: item.title && oneLine(item.title),
    content: item.content_html ?? (text && escapeHtml(text)),
    contentBase: base,
    author: authorOf(people(item.authors, base)),
    media: mediaOf(
      [
        ...(item.attachments ?? []).map(({ url, mime_type: type }) => ({ url, type })),
        { url: item.image },
        { url: item.banner_image },
      ],
      base,
    ),
    dates: [item.date_published, item.date_modified].filter((date) => date !== undefined),
    raw,
  };
}

function people(authors: JsonFeed.Author[] | undefined, base: string): Person[] | undefined {
  return authors?.map(({ name, url, avatar }) => ({ name, link: url, avatarUrl: webAddress(avatar, base) }));
}

function recoverJson(text: string): JsonDocument | undefined {
  if (!IS_FEED.test(text) || /^\s*</.test(text)) return undefined;
  const start = ITEMS_START.exec(text);
  const items = itemsFrom(text, start ? start.index + start[0].length - 1 : 0);
  if (items.length === 0) return undefined;
  const head = members(text.slice(0, start?.index ?? 0), HEAD_KEYS);
  return { version: 'https://jsonfeed.org/version/1.1', ...head, items };
}

function itemsFrom(text: string, from: number): object[] {
  const items: object[] = [];
  let effort = text.length * MAX_EFFORT;
  let damagedFrom: number | undefined;
  const salvage = (end: number) => {
    const found = damagedFrom === undefined ? {} : members(text.slice(damagedFrom, end), ITEM_KEYS);
    if (isItem(found)) items.push(found);
    damagedFrom = undefined;
  };
  OBJECT_START.lastIndex = from;
  for (let found = OBJECT_START.exec(text); found && effort > 0; found = OBJECT_START.exec(text)) {
    const start = OBJECT_START.lastIndex;
    const end = objectEnd(text, start);
    effort -= end - start;
    const item = parsed(text.slice(start, end));
    if (item && isItem(item)) {
      salvage(start);
      items.push(item);
      OBJECT_START.lastIndex = end;
    } else {
      damagedFrom ??= start;
      OBJECT_START.lastIndex = start + 1;
    }
  }
  salvage(text.length);
  return items;
}

function isItem(object: object): boolean {
  return SIGNS_OF_ITEM.some((key) => key in object);
}

function objectEnd(text: string, start: number): number {
  const token = /[{}]|"(?:[^"\\]|\\.)*"/g;
  token.lastIndex = start;
  let depth = 0;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    if (found[0] === '{') depth++;
    else if (found[0] === '}') depth--;
    if (depth === 0) return token.lastIndex;
  }
  return text.length;
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text, (_, inner) => (typeof inner === 'string' ? cleanText(inner) : inner));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function members(text: string, keys: Set<string>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, key = '', value = ''] of text.matchAll(MEMBER)) {
    if (keys.has(key) && !(key in found)) found[key] = decoded(value);
  }
  return found;
}

function decoded(value: string): string {
  const escaped = value
    .replace(/[\n\r\t]/g, ' ')
    .replace(/\\(["\\/bfnrt]|u[0-9a-fA-F]{4})?/g, (written, known?: string) => (known ? written : ''));
  return cleanText(String(JSON.parse(`"${escaped}"`)));
}
