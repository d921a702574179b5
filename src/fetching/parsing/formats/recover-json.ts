import { cleanText } from '../text/clean-text.js';
import type { JsonDocument } from './json-document.js';

const ITEMS_START = /"items"\s*:\s*\[/;
const IS_FEED = /jsonfeed\.org\/version|"(?:content_html|content_text|date_published|home_page_url|feed_url)"\s*:/;
/** Where an object of a list may begin. */
const OBJECT_START = /(?:[[,]|^)\s*(?=\{)/g;
/** A text member; its key must not be part of another text. */
const MEMBER = /"(\w{2,20})"\s*:\s*"((?:[^"\\]|\\.)*)"/g;
const HEAD_KEYS = new Set(['title', 'home_page_url', 'feed_url', 'next_url']);
const ITEM_KEYS = new Set(
  'id url external_url title content_html content_text summary image date_published date_modified'.split(' '),
);
/** Objects with one of these are items, and not authors or attachments in one. */
const SIGNS_OF_ITEM = ['id', 'content_html', 'content_text', 'date_published', 'summary'];
/** The characters that are looked at, in all, as a multiple of the document. */
const MAX_EFFORT = 20;

/** A damaged JSON feed: each item is read by itself, and of one that is damaged those texts that can be read. */
export function recoverJson(text: string): JsonDocument | undefined {
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

/** After the bracket that closes the object, or the end of the text. */
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

/** The first text of each key. */
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
