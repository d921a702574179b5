import { closeSections } from './close-sections.js';
import { dropDoctype } from './drop-doctype.js';
import { countItems } from './mark-items.js';
import { localName } from './names.js';
import { type Piece, piecesOf } from './pieces.js';
import { attributesOf, FIELDS, isAlmost, repairFields } from './repair-fields.js';

/** Elements around items. They are written again, because their tags may be damaged. */
const FRAMES = new Set(['rss', 'rdf', 'feed', 'channel', 'items', 'seq', 'li', 'xml']);
const IS_FEED =
  /<\/?(?:[\w.-]{1,99}:)?(?:rss|rdf|feed|channel)[\s>]|http:\/\/www\.w3\.org\/2005\/Atom|http:\/\/purl\.org\/(?:rss|atom)/i;
const IS_PAGE = /<(?:!doctype\s+html|html|head|body|opml|urlset|sitemapindex|svg)[\s>]/i;
const IS_RDF = /<(?:[\w.-]{1,99}:)?rdf[\s>]|http:\/\/purl\.org\/rss\/1\.0\/?["']|\srdf:about\s*=/i;
const FIELD_TAG = /<(?:title|link|guid|id|description|pubDate|published|updated|content|summary)[\s/>]/i;
/** If a declaration is damaged, the feed parser falls back to the usual prefixes. */
const DECLARATION = /\sxmlns:([\w.-]{1,99})\s*=\s*(?:"([^"<>]{0,300})"|'([^'<>]{0,300})')/g;

interface Span {
  start: number;
  end: number;
}

interface FoundItem {
  tag?: Span | undefined;
  content: Span;
}

/** Items are found by their own tags and repaired separately, so damage is limited to the item it is in. */
export function recoverXml(document: string): string | undefined {
  const text = closeSections(withoutDoctype(document));
  const pieces = [...piecesOf(text)];
  const itemName = usualItemName(pieces);
  const items = itemName ? itemsOf(text, pieces, itemName) : [];
  const headEnd = items[0]?.tag?.start ?? items[0]?.content.start ?? text.length;
  const head = text.slice(0, headEnd);
  if (IS_PAGE.test(head.slice(0, 2_000)) || !IS_FEED.test(items.length ? text : head)) return undefined;
  const prefix = itemName?.includes(':') ? itemName.slice(0, itemName.indexOf(':')) : '';
  const around = [head, text.slice(items.at(-1)?.content.end ?? text.length)].map(fieldsOf).join('');
  if (items.length === 0 && !around) return undefined;
  return withoutPrefix(framed({ text, head, around, items, isAtom: isAtom(itemName, head) }), prefix);
}

/** A damaged document type may appear to include items. In that case it is kept. */
function withoutDoctype(text: string): string {
  const rest = dropDoctype(text);
  return countItems(rest) < countItems(text) ? text : rest;
}

function usualItemName(pieces: Piece[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { kind, name } of pieces) {
    const key = name.toLowerCase();
    const local = localName(key);
    if (kind !== 'text' && (local === 'item' || local === 'entry')) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

function itemsOf(text: string, pieces: Piece[], itemName: string): FoundItem[] {
  const items: FoundItem[] = [];
  const local = localName(itemName);
  let tag: Piece | undefined;
  let done = 0;
  const end = (at: number, after: number) => {
    const start = tag ? tag.end : lostStart(text.slice(done, at), done, { itemName, isFirst: items.length === 0 });
    const content = start === undefined ? undefined : { start, end: at };
    if (content && (tag || FIELD_TAG.test(text.slice(content.start, content.end)))) items.push({ tag, content });
    tag = undefined;
    done = after;
  };
  for (const [at, piece] of pieces.entries()) {
    if (piece.kind === 'text' || localName(piece.name) !== local) continue;
    if (piece.kind === 'close') end(piece.start, piece.end);
    else if (!tag || !isInField(pieces, at)) {
      if (tag) end(piece.start, piece.start);
      tag = piece;
      if (piece.kind === 'empty') end(piece.end, piece.end);
    }
  }
  if (tag) end(text.length, text.length);
  return items;
}

/** A start tag is inside a text of the previous item if that text ends before another one begins. */
function isInField(pieces: Piece[], at: number): boolean {
  for (let next = at + 1; next < pieces.length; next++) {
    const { kind, name } = pieces[next] ?? { kind: 'other', name: '' };
    const local = localName(name);
    if (local === 'item' || local === 'entry') return false;
    if (FIELDS.has(local)) return kind === 'close';
  }
  return false;
}

/** An item without a start tag starts after its damaged tag or the previous item; the first one, after the head. */
function lostStart(
  part: string,
  offset: number,
  { itemName, isFirst }: { itemName: string; isFirst: boolean },
): number | undefined {
  let lastTitle: number | undefined;
  let titles = 0;
  for (const { kind, name, start, end } of piecesOf(part)) {
    if (kind !== 'open') continue;
    if (isAlmost(name.toLowerCase(), itemName)) return offset + end;
    if (localName(name) !== 'title') continue;
    lastTitle = offset + start;
    titles++;
  }
  if (!isFirst) return offset;
  return titles > 1 ? lastTitle : undefined;
}

function isAtom(itemName: string | undefined, head: string): boolean {
  return itemName ? localName(itemName) === 'entry' : /<(?:[\w.-]{1,99}:)?feed[\s>]/i.test(head);
}

function fieldsOf(part: string): string {
  const kept: string[] = [];
  for (const { kind, name, start, end } of piecesOf(part)) {
    if (kind === 'other' || FRAMES.has(localName(name))) continue;
    kept.push(part.slice(start, end));
  }
  return repairFields(kept.join('')).trim();
}

interface Parts {
  text: string;
  head: string;
  around: string;
  items: FoundItem[];
  isAtom: boolean;
}

function framed({ text, head, around, items, isAtom }: Parts): string {
  const name = isAtom ? 'entry' : 'item';
  const repaired = items.map((item) => repairedItem(text, item, name)).join('\n');
  const declarations = declared(head);
  const base = baseOf(head);
  if (isAtom) return `<feed xmlns="http://www.w3.org/2005/Atom"${declarations}${base}>${around}${repaired}</feed>`;
  if (!IS_RDF.test(head))
    return `<rss version="2.0"${declarations}><channel${base}>${around}${repaired}</channel></rss>`;
  const rdf = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"';
  return `<rdf:RDF ${rdf}${declarations}${base}><channel>${around}</channel>${repaired}</rdf:RDF>`;
}

function repairedItem(text: string, { tag, content }: FoundItem, name: string): string {
  const attributes = tag ? attributesOf(text.slice(tag.start, tag.end)) : new Map<string, string>();
  const written = [...attributes].map(([key, value]) => ` ${key}="${value.replaceAll('"', '&quot;')}"`);
  return `<${name}${written.join('')}>${repairFields(text.slice(content.start, content.end))}</${name}>`;
}

function declared(head: string): string {
  const byPrefix = new Map<string, string>();
  for (const [, prefix = '', double, single] of head.matchAll(DECLARATION)) {
    if (prefix !== 'rdf' && !byPrefix.has(prefix)) byPrefix.set(prefix, double ?? single ?? '');
  }
  return [...byPrefix].map(([prefix, uri]) => ` xmlns:${prefix}="${uri.replaceAll('"', '')}"`).join('');
}

function baseOf(head: string): string {
  const tags = head.match(/<(?:[\w.-]{1,99}:)?(?:rss|rdf|feed|channel)\s[^<>]*>/gi) ?? [];
  const base = tags.map((tag) => attributesOf(tag).get('xml:base')).findLast((value) => value !== undefined);
  return base === undefined ? '' : ` xml:base="${base.replaceAll('"', '')}"`;
}

function withoutPrefix(text: string, prefix: string): string {
  if (!prefix) return text;
  return text.replace(new RegExp(`(</?)${prefix.replaceAll('.', '\\.')}:(?=[A-Za-z])`, 'gi'), '$1');
}
