import { ParseError, parseFeed } from 'feedsmith';
import type { Channel } from './channel.js';
import { fromAtom } from './formats/atom.js';
import type { FormatContext } from './formats/context.js';
import { fromJson } from './formats/json.js';
import { jsonDocument } from './formats/json-document.js';
import { fromRss } from './formats/rss.js';
import { MOST_ITEMS } from './xml/prepare-xml.js';
import { prologOf } from './xml/prolog.js';

/** Fails with an error of feedsmith's where it cannot read the text. */
export function readChannel(text: string, base: string): Channel {
  const context: FormatContext = { base, text };
  const document = parsed(jsonDocument(text) ?? text);
  switch (document.format) {
    case 'rss':
    case 'rdf':
      return fromRss(document.feed, context);
    case 'atom':
      return fromAtom(document.feed, context);
    case 'json':
      return fromJson(document.feed, context);
  }
}

function parsed(document: string | object): ReturnType<typeof parseFeed<string>> {
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
