import { cleanText } from '../text/clean-text.js';

export interface JsonDocument {
  version?: unknown;
  items: unknown[];
}

interface MarkedJson {
  document: JsonDocument;
  rawItems: unknown[];
}

/** `version` is often wrong, so a title with items is accepted, too. */
export function jsonDocument(text: string): JsonDocument | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  const document = parse(text);
  if (!document || !hasItems(document)) return undefined;
  const version = String(document.version ?? '');
  const isFeed = version.includes('jsonfeed.org') || ('title' in document && typeof document.title === 'string');
  return isFeed ? { ...document, version: 'https://jsonfeed.org/version/1.1' } : undefined;
}

/** Items are numbered in `language`, because the feed parser drops some and does not tell which. */
export function markJsonItems(document: JsonDocument, most: number): MarkedJson {
  const rawItems = document.items.slice(0, most);
  const items = rawItems.map((item, at) => ({ ...(typeof item === 'object' ? item : {}), language: String(at) }));
  return { document: { ...document, items }, rawItems };
}

function hasItems(document: object): document is JsonDocument {
  return 'items' in document && Array.isArray(document.items);
}

function parse(text: string): object | undefined {
  try {
    // Escapes may hide what was cleaned away from the text itself.
    return JSON.parse(text, (_, value) => (typeof value === 'string' ? cleanText(value) : value));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
