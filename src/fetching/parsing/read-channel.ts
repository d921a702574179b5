import { ParseError, parseFeed } from 'feedsmith';
import type { Channel } from './channel.js';
import { fromAtom } from './formats/atom.js';
import type { FormatContext } from './formats/context.js';
import { fromJson } from './formats/json.js';
import { type JsonDocument, jsonDocument, markJsonItems } from './formats/json-document.js';
import { recoverJson } from './formats/recover-json.js';
import { fromRss } from './formats/rss.js';
import { countItems, hasLostStarts, markItems } from './xml/mark-items.js';
import { MOST_ITEMS, prepareXml, shapeXml } from './xml/prepare-xml.js';
import { prologOf } from './xml/prolog.js';
import { recoverXml } from './xml/recover-xml.js';

export interface HowToRead {
  base: string;
  /** Whether what is written in each item is wanted, too. */
  raw: boolean;
}

export interface ReadChannel {
  channel: Channel;
  /** Whether all items that are written were read: a broken one hides those after it. */
  isWhole: boolean;
}

/** Fails with an error of feedsmith's where it cannot read the text. */
export function readChannel(text: string, { base, raw }: HowToRead): ReadChannel {
  const json = jsonDocument(text);
  if (json) return { channel: readJson(json, base), isWhole: true };
  const shaped = isXml(text) ? shapeXml(text) : text;
  const unmarked = raw ? undefined : readXml({ base, text: shaped, rawItems: [] });
  const count = countItems(shaped);
  const seemsWhole = count > 0 && unmarked?.items.length === count && !hasLostStarts(shaped, count);
  if (unmarked && seemsWhole) return { channel: unmarked, isWhole: true };
  // Items with nothing in them are dropped unless they are marked. To mark them first would make every feed pay for the few.
  const marked = markItems(shaped, MOST_ITEMS);
  const isWhole = ({ items }: Channel) => marked.isBalanced && items.length >= marked.rawItems.length;
  if (unmarked && isWhole(unmarked)) return { channel: unmarked, isWhole: true };
  const channel = readXml({ base, ...marked });
  return { channel, isWhole: isWhole(channel) };
}

/** A damaged feed, item by item. Undefined where the text is no feed at all. */
export function recoverChannel(text: string, how: HowToRead): Channel | undefined {
  const json = recoverJson(text);
  if (json) return readJson(json, how.base);
  const xml = text.includes('<') ? recoverXml(text) : undefined;
  return xml === undefined ? undefined : readChannel(xml, how).channel;
}

function readJson(json: JsonDocument, base: string): Channel {
  const { document, rawItems } = markJsonItems(json, MOST_ITEMS);
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
    return parseFeed<string>(document, { maxItems: MOST_ITEMS });
  } catch (error) {
    if (error instanceof ParseError && isFeed(document)) return { format: 'rss', feed: {} };
    throw error;
  }
}

/** A feed with nothing in it at all is still a feed. */
function isFeed(document: string | object): boolean {
  if (typeof document !== 'string') return true;
  return /^<(?:[\w.-]+:)?(?:rss|rdf|feed)[\s>]/i.test(document.slice(prologOf(document).root).slice(0, 200));
}
