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

interface ReadChannel {
  channel: Channel;
  /** Whether all items that are written were read: a broken one hides those after it. */
  isWhole: boolean;
}

/** Fails with an error of feedsmith's where it cannot read the text. */
export function readChannel(text: string, { base, raw }: HowToRead): ReadChannel {
  const json = jsonDocument(text);
  if (json) {
    const { document, rawItems } = markJsonItems(json, MOST_ITEMS);
    return { channel: read(document, { base, text: '', rawItems }), isWhole: true };
  }
  const shaped = isXml(text) ? shapeXml(text) : text;
  const unmarked = raw ? undefined : readXml({ base, text: shaped, rawItems: [] });
  if (unmarked && countItems(shaped) === unmarked.items.length) return { channel: unmarked, isWhole: true };
  // Items with nothing in them are dropped unless they are marked. To mark them first would make every feed pay for the few.
  const marked = markItems(shaped, MOST_ITEMS);
  const isWhole = ({ items }: Channel) => items.length >= marked.rawItems.length;
  if (unmarked && isWhole(unmarked)) return { channel: unmarked, isWhole: true };
  const channel = readXml({ base, ...marked });
  return { channel, isWhole: isWhole(channel) };
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
