import { canParseUrl } from '../platform/can-parse-url.js';

const BLOCKS = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
const INLINE = new Set(['a', 'b', 'code', 'em', 'i', 'strong']);

/** A tag without attributes, a line break, a plain web link, or text without characters that HTML treats specially. */
const TOKEN =
  /<br ?\/?>|<(\/?)([a-z]+[1-6]?)>|<a href="(https?:\/\/[a-z0-9.-]+(?:\/[a-zA-Z0-9/._~-]*(?:\?[a-zA-Z0-9/._~=-]*)?)?)">|([^<&\r\0]+)/y;

const MAX_DEPTH = 4;

/** Produces the same result as `safeHtml` without building a tree; undefined if the result could differ. */
export function plainHtml(html: string): { html: string; text: string } | undefined {
  const open: string[] = [];
  const written: string[] = [];
  const text: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < html.length) {
    const [token, slash, name, href, words] = TOKEN.exec(html) ?? [];
    if (token === undefined) return undefined;
    if (words !== undefined) {
      written.push(words);
      text.push(words);
    } else if (href !== undefined) {
      if (!mayOpen('a', open) || !isSpelledOut(href)) return undefined;
      open.push('a');
      written.push(`<a href="${href}" rel="noopener noreferrer nofollow">`);
    } else if (name === undefined) {
      if (open.length === 0) return undefined;
      written.push('<br>');
      text.push('  ');
    } else if (slash) {
      if (open.pop() !== name) return undefined;
      written.push(token);
      if (BLOCKS.has(name)) text.push(' ');
    } else {
      if (name === 'a' || !mayOpen(name, open)) return undefined;
      open.push(name);
      written.push(token);
      if (BLOCKS.has(name)) text.push(' ');
    }
  }
  if (open.length || !written.some((piece) => piece.startsWith('<'))) return undefined;
  return { html: written.join('').trim(), text: text.join('').replace(/\s+/g, ' ').trim() };
}

/** Browsers rewrite some URLs, such as `http://1.2.3.4.5/`. */
function isSpelledOut(href: string): boolean {
  return canParseUrl(href) && new URL(href).href === href;
}

function mayOpen(name: string, open: string[]): boolean {
  if (BLOCKS.has(name)) return open.length === 0;
  return INLINE.has(name) && open.length > 0 && open.length < MAX_DEPTH && !open.includes(name);
}
