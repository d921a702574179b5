import { ParseError, parseFeed } from 'feedsmith';
import type { Channel } from './channel.js';
import { fromAtom } from './formats/atom.js';
import type { FormatContext } from './formats/context.js';
import { fromJson } from './formats/json.js';
import { jsonDocument, markJsonItems } from './formats/json-document.js';
import { fromRss } from './formats/rss.js';
import { countItems, markItems } from './xml/mark-items.js';
import { MOST_ITEMS, prepareXml, shapeXml } from './xml/prepare-xml.js';
import { prologOf } from './xml/prolog.js';

export interface HowToRead {
  base: string;
  /** Whether what is written in each item is wanted, too. */
  raw: boolean;
}

/** Fails with an error of feedsmith's where it cannot read the text. */
export function readChannel(text: string, { base, raw }: HowToRead): Channel {
  const json = jsonDocument(text);
  if (json) {
    const { document, rawItems } = markJsonItems(json, MOST_ITEMS);
    return read(document, { base, text: '', rawItems });
  }
  const shaped = isXml(text) ? shapeXml(text) : text;
  if (raw) return readXml({ base, ...markItems(shaped, MOST_ITEMS) });
  const channel = readXml({ base, text: shaped, rawItems: [] });
  return countItems(shaped) === channel.items.length ? channel : withEmptyItems(channel, shaped, base);
}

/** Items with nothing in them are dropped unless they are marked. To mark them first would make every feed pay for the few. */
function withEmptyItems(channel: Channel, text: string, base: string): Channel {
  const marked = markItems(text, MOST_ITEMS);
  return marked.rawItems.length > channel.items.length ? readXml({ base, ...marked }) : channel;
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
