import { decodeHTML } from 'entities';

const MAX_LENGTH = 10_000;

const UNSEEN: [RegExp, RegExp][] = [
  [/<script\b[^<>]*>/i, /<\/script\s*>/gi],
  [/<style\b[^<>]*>/i, /<\/style\s*>/gi],
  [/<template\b[^<>]*>/i, /<\/template\s*>/gi],
  [/<!--/, /-->/g],
];
const BREAK = /<(?:br|p|div|li|td|h\d)\b[^<>]*>/gi;
/** A `<` that does not start a tag, as in `a < b` and `A<B`, is kept. */
const TAG = /<[a-z/!?][^<>]*>/gi;
const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,30}));/gi;

/** Frequent entities. Looking up any other is slower. */
const COMMON: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

export function plainText(html: string): string {
  const bounded = html.slice(0, MAX_LENGTH);
  const text = bounded.includes('<')
    ? withoutUnseen(bounded)
        .replace(BREAK, ' ')
        .replace(TAG, '')
        .replace(/<!--\s*$/, '')
    : bounded;
  return oneLine(decodeReferences(text));
}

export function decodeReferences(text: string): string {
  return text.includes('&') ? text.replace(REFERENCE, decoded) : text;
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function withoutUnseen(html: string): string {
  return UNSEEN.reduce((text, [begin, end]) => cutOut(text, begin, end), html);
}

/** Searches backwards from each end, so that unclosed beginnings cost no search. */
function cutOut(text: string, begin: RegExp, end: RegExp): string {
  let kept = '';
  let done = 0;
  for (const { 0: ending, index } of text.matchAll(end)) {
    const part = text.slice(done, index);
    const at = part.search(begin);
    kept += at < 0 ? part + ending : part.slice(0, at);
    done = index + ending.length;
  }
  return kept + text.slice(done);
}

function decoded(reference: string, ...[decimal, hexadecimal, name]: (string | undefined)[]): string {
  if (name && COMMON[name]) return COMMON[name];
  const code = name ? undefined : Number.parseInt(decimal ?? hexadecimal ?? '', decimal ? 10 : 16);
  if (code !== undefined && code >= 0xa0 && code < 0xd800) return String.fromCharCode(code);
  return decodeHTML(reference);
}
