import { localName } from './names.js';
import { OpenElements } from './open-elements.js';
import { type Piece, piecesOf } from './pieces.js';

/** Elements of items and channels that contain text and never each other: the start of one ends the previous one. */
export const FIELDS = new Set(
  (
    'title link guid id pubdate description author category comments enclosure published updated issued modified created ' +
    'summary content encoded creator date subject rights image generator language copyright lastbuilddate managingeditor ' +
    'webmaster ttl docs subtitle tagline logo icon'
  ).split(' '),
);
/** These may contain fields of their own. */
const HOLDERS = new Set(['content', 'image']);
/** HTML has elements of these names, too. */
const ALSO_HTML = new Set(['title', 'link', 'summary', 'content', 'image']);

/** The feed parser reads 100 levels, which include the elements around an item. */
const MAX_DEPTH = 90;

const WELL_FORMED = /^<[^\s<>/="']+(?:\s+[^\s<>/="']+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*\/?>$/;
const ATTRIBUTE = /([A-Za-z_][\w:.-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)'|["']?([^\s"'<>]*))/g;

type Open = OpenElements<string>;

export function repairFields(text: string): string {
  const repaired: string[] = [];
  const open: Open = new OpenElements(MAX_DEPTH);
  for (const piece of piecesOf(text)) repaired.push(repair(piece, text, open));
  return repaired.join('') + endTags(open.closeAll());
}

function repair(piece: Piece, text: string, open: Open): string {
  const raw = text.slice(piece.start, piece.end);
  const key = piece.name.toLowerCase();
  switch (piece.kind) {
    case 'open': {
      const ended = endTags(endedFields(key, open));
      return open.open(key, piece.name) ? ended + startTag(raw, piece.name) : ended;
    }
    case 'empty':
      return endTags(endedFields(key, open)) + startTag(raw, piece.name);
    case 'close':
      return endTags(open.close(closedName(key, open)));
    case 'text':
      return isCutTag(raw, piece.end === text.length) ? '' : raw.replaceAll('<', '&lt;');
    case 'cdata':
      return raw.endsWith(']]>') ? raw : `${raw}]]>`;
    case 'other':
      return '';
  }
}

function endedFields(name: string, open: Open): ReturnType<Open['close']> {
  const local = localName(name);
  const outer = open.outermost?.name;
  if (outer === undefined || !FIELDS.has(local) || !FIELDS.has(localName(outer)) || HOLDERS.has(localName(outer)))
    return [];
  return open.depth > 1 && ALSO_HTML.has(local) ? [] : open.closeAll();
}

/** An end tag with one wrong character closes the innermost element. */
function closedName(name: string, open: Open): string {
  const innermost = open.innermost?.name;
  return !open.has(name) && innermost !== undefined && isAlmost(name, innermost) ? innermost : name;
}

export function isAlmost(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || Math.min(a.length, b.length) < 2) return false;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  const rest = (text: string, skipped: number) => text.slice(same + skipped);
  return rest(a, 1) === rest(b, 1) || rest(a, 1) === rest(b, 0) || rest(a, 0) === rest(b, 1);
}

function startTag(raw: string, name: string): string {
  if (WELL_FORMED.test(raw)) return raw;
  const attributes = attributesOf(raw.slice(1 + name.length));
  const written = [...attributes].map(([key, value]) => ` ${key}="${value.replaceAll('"', '&quot;')}"`);
  return `<${name}${written.join('')}${raw.endsWith('/>') ? '/>' : '>'}`;
}

export function attributesOf(tag: string): Map<string, string> {
  const attributes = new Map<string, string>();
  ATTRIBUTE.lastIndex = 0;
  for (let found = ATTRIBUTE.exec(tag); found; found = ATTRIBUTE.exec(tag)) {
    const [whole, name = '', double, single, bare] = found;
    const value = double ?? single ?? bare?.replace(/\/$/, '') ?? '';
    const [, beforeNext] = /^(\S*)\s+[\w:.-]+\s*=\s*$/.exec(value) ?? [];
    // A value that ends with the name of the next attribute has lost its closing quote.
    if (beforeNext !== undefined) ATTRIBUTE.lastIndex = found.index + whole.indexOf(value) + beforeNext.length;
    if (!attributes.has(name)) attributes.set(name, beforeNext ?? value);
  }
  return attributes;
}

/** A truncated document may end with the beginning of a tag. */
function isCutTag(raw: string, isLast: boolean): boolean {
  return isLast && /^<(?:$|[\w/!?])/.test(raw);
}

function endTags(elements: { value: string }[]): string {
  return elements.map(({ value }) => `</${value}>`).join('');
}
