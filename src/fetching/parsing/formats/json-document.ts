import { cleanText } from '../text/clean-text.js';

/** A JSON feed as an object, or nothing. Its `version` is often wrong: a title and items tell as much. */
export function jsonDocument(text: string): object | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  const document = parse(text);
  if (!document || !('items' in document) || !Array.isArray(document.items)) return undefined;
  const version = 'version' in document ? String(document.version) : '';
  const isFeed = version.includes('jsonfeed.org') || ('title' in document && typeof document.title === 'string');
  return isFeed ? { ...document, version: 'https://jsonfeed.org/version/1.1' } : undefined;
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
