import { isUtf8 } from 'node:buffer';
import type { FeedDocument } from '../../fetcher.js';

/** Maximum document size in bytes, because this runs on the main thread. Larger documents are parsed in a thread. */
const MAX_SIZE = 1_000_000;
const MAX_ITEMS = 2_000;
const MAX_EDGE_LENGTH = 32_000;
const ITEM_START = /<((?:[\w.-]{1,99}:)?(?:item|entry))[\s>]/i;
const ANY_ITEM = /<(?:[\w.-]{1,99}:)?(?:item|entry)[\s/>]/i;
const SPACE = /[ \t\r\n]*/y;

export interface SplitFeed {
  /** The bytes, one per character. */
  text: string;
  items: { start: number; end: number }[];
}

/** Texts can mislead this search by tags, so the result is valid only if the items stand alone (stand-alone.ts). */
export function splitFeed({ body, contentType }: Pick<FeedDocument, 'body' | 'contentType'>): SplitFeed | undefined {
  if (body.length > MAX_SIZE || !isUtf8(body)) return undefined;
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  if (!saysUtf8(text, contentType)) return undefined;
  const first = ITEM_START.exec(text.slice(0, MAX_EDGE_LENGTH));
  const items = first?.[1] ? itemsFrom(text, first.index, first[1]) : [];
  const last = items.at(-1);
  if (!last || text.length - last.end > MAX_EDGE_LENGTH) return undefined;
  const edges = [text.slice(0, first?.index), text.slice(last.end)];
  if (edges.some((edge) => ANY_ITEM.test(edge))) return undefined;
  return { text, items };
}

function itemsFrom(text: string, first: number, tag: string): SplitFeed['items'] {
  const [opens, closes] = [`<${tag}`, `</${tag}>`];
  const items: SplitFeed['items'] = [];
  for (let start = first; text.startsWith(opens, start); ) {
    const close = text.indexOf(closes, start);
    if (close < 0 || items.length >= MAX_ITEMS) return [];
    const end = close + closes.length;
    items.push({ start, end });
    SPACE.lastIndex = end;
    SPACE.test(text);
    start = SPACE.lastIndex;
  }
  return items;
}

/** Any other stated charset, even a wrong one, requires that the whole document is parsed. */
function saysUtf8(text: string, contentType = ''): boolean {
  const header = /;\s*charset\s*=\s*["']?\s*([^\s"';]*)/i.exec(contentType)?.[1];
  const declared = /<\?xml[^>]*?\sencoding\s*=\s*["']\s*([^"'\s]*)/i.exec(text.slice(0, 1_024))?.[1];
  return [header, declared].every((label) => label === undefined || /^utf-?8$/i.test(label));
}
