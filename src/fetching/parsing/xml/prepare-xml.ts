import { innerBase, webAddress } from '../addresses.js';
import { cleanText } from '../text/clean-text.js';
import { decodeReferences, oneLine } from '../text/plain-text.js';
import { dropDoctype } from './drop-doctype.js';
import { attribute, localName, withAttribute } from './names.js';
import { OpenElements } from './open-elements.js';
import { type Piece, piecesOf } from './pieces.js';
import { usualShape } from './usual-shape.js';

const ITEMS = new Set(['item', 'entry']);

/** The feed parser does not report their `xml:base`. It is moved to the item, where little else is relative. */
const TEXTS = new Set(['description', 'encoded']);

const ADDRESS_ATTRIBUTES = ['href', 'url', 'src'] as const;

/** Maximum length of an author in characters, enough for a name and an email address. */
const MAX_LINE = 300;

const AUTHOR = /<(author|managingEditor|webMaster)(?:\s[^<>]*)?>/gi;

/** Markup that is never inside an author: it means that the end tag belongs to another element. */
const OTHERS = /<\/?(?:author|managingEditor|webMaster|item|channel|title)[\s>]/i;

const PARTS = /<(?:[\w.-]{1,99}:)?(?:name|email|uri|url)[\s>]/i;

/** Older names of `content:encoded`: the XHTML body of an item, and Radio's full item. They may have a prefix. */
const BODIES = new Set(['body', 'fullitem']);

/** Elements of Atom that some feeds use in RSS items without a prefix. */
const OF_ATOM = new Set(['id', 'published', 'updated', 'issued', 'modified', 'created', 'summary', 'content']);

/** Elements of RSS 2.0 that some feeds use in RSS 1.0 items. */
const OF_RSS_2: Record<string, string> = { pubdate: 'dc:date', author: 'dc:creator', guid: 'dc:identifier' };

const MAY_HAVE_ANY =
  /<(?:(?:[\w.-]+:)?(?:body|fullitem)|id|published|updated|issued|modified|created|summary|content|link\s[^<>]*href\s*=[^<>]*)[\s/>]/i;

const IS_RDF = /<(?:[\w.-]{1,99}:)?rdf[\s>]/i;

const MAY_HAVE_RSS_2 = /<(?:pubDate|author|guid)[\s>]/i;

const ITEM_END = '</(?:[\\w.-]{1,99}:)?(?:item|entry)\\s*>';

const MIN_ITEM_LENGTH = '<item></item>'.length;

const MAX_TAIL_LENGTH = 10_000;

/** Atom 0.3 allowed base64 for any text, indicated only by `mode`. */
const BASE64_TEXT =
  /(<[\w:.-]+\s[^<>]{0,500}?\bmode\s{0,9}=\s{0,9}["']base64["'][^<>]{0,500}>)(?:\s*<!\[CDATA\[)?([A-Za-z0-9+/=\s]+)(?:\]\]>\s*)?(<\/)/gi;

export const MAX_ITEMS = 10_000;

export function shapeXml(text: string): string {
  return usualShape(firstItems(dropDoctype(text), MAX_ITEMS));
}

export function prepareXml(text: string, base: string): string {
  return pushDownBases(renameElements(decodeBase64Texts(cleanAuthors(dcAuthors(linkTexts(text))))), base);
}

/** Dublin Core defines `creator`, but some feeds use `dc:author`. */
function dcAuthors(text: string): string {
  return text.includes('<dc:author') ? text.replace(/(<\/?dc:)author(?=[\s>])/g, '$1creator') : text;
}

/** Atom links are attributes, but some feeds put the URL between the tags as in RSS. */
function linkTexts(text: string): string {
  if (!/<feed[\s>]/i.test(text)) return text;
  return text.replace(/<link>\s*([^<>\s"]+)\s*<\/link>/gi, '<link href="$1"/>');
}

export function decodeBase64Texts(text: string): string {
  if (!text.includes('base64')) return text;
  return text.replace(BASE64_TEXT, (_, open: string, encoded: string, close: string) => {
    const decoded = cleanText(Buffer.from(encoded, 'base64').toString());
    return `${open}${decoded.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}${close}`;
  });
}

/** Cuts a document after its first items, so that one with a hundred thousand items costs no more than the limit. */
export function firstItems(text: string, most: number): string {
  if (text.length < most * MIN_ITEM_LENGTH) return text;
  const itemEnd = new RegExp(ITEM_END, 'gi');
  for (let items = 0; items < most; items++) if (!itemEnd.test(text)) return text;
  const end = itemEnd.lastIndex;
  const tail = text.slice(Math.max(end, text.length - MAX_TAIL_LENGTH));
  const last = [...tail.matchAll(new RegExp(ITEM_END, 'gi'))].at(-1);
  return text.slice(0, end) + tail.slice(last ? last.index + last[0].length : 0);
}

export function renameElements(text: string): string {
  const isRdf = MAY_HAVE_RSS_2.test(text) && IS_RDF.test(text.slice(0, 10_000));
  if (!isRdf && !MAY_HAVE_ANY.test(text)) return text;
  const renamed: string[] = [];
  const open = new OpenElements<{ newName?: string | undefined }>();
  for (const piece of piecesOf(text)) {
    const raw = text.slice(piece.start, piece.end);
    const local = localName(piece.name);
    if (piece.kind === 'close') {
      const newName = open.close(local).at(-1)?.value.newName;
      renamed.push(newName ? `</${newName}>` : raw);
      continue;
    }
    const newName = open.innermost?.name === 'item' ? newNameOf(piece, raw, isRdf) : undefined;
    if (piece.kind === 'open') open.open(local, { newName });
    // Attributes of a body element would hide its text from the feed parser.
    const rest = newName === 'content:encoded' ? /\/?>$/.exec(raw)?.[0] : raw.slice(1 + piece.name.length);
    renamed.push(newName ? `<${newName}${rest}` : raw);
  }
  return renamed.join('');
}

function newNameOf({ kind, name }: Piece, raw: string, isRdf: boolean): string | undefined {
  if (kind !== 'open' && kind !== 'empty') return undefined;
  if (BODIES.has(localName(name))) return 'content:encoded';
  const key = name.toLowerCase();
  if (isRdf && Object.hasOwn(OF_RSS_2, key)) return OF_RSS_2[key];
  if (key === 'link') return attribute(raw, 'href') === undefined ? undefined : 'atom:link';
  return OF_ATOM.has(key) ? `atom:${key}` : undefined;
}

/** The feed parser drops authors that contain elements, and needs quadratic time for brackets. */
function cleanAuthors(text: string): string {
  if (!/<(?:rss|(?:[\w.-]{1,99}:)?rdf)[\s>]/i.test(text.slice(0, 10_000))) return text;
  const cleaned: string[] = [];
  let done = 0;
  AUTHOR.lastIndex = 0;
  for (let found = AUTHOR.exec(text); found; found = AUTHOR.exec(text)) {
    const [tag, name = ''] = found;
    const start = found.index + tag.length;
    const end = text.indexOf(`</${name}`, start);
    if (end < 0) break;
    const content = text.slice(start, end);
    const isClosed = !OTHERS.test(content);
    if (isClosed && !isClean(content)) {
      cleaned.push(text.slice(done, start), lineOf(content));
      done = end;
    }
    AUTHOR.lastIndex = isClosed ? end : start;
  }
  return cleaned.join('') + text.slice(done);
}

function isClean(content: string): boolean {
  return content.length <= MAX_LINE && (!/[<&]/.test(content) || PARTS.test(content));
}

function lineOf(content: string): string {
  const text = content
    .slice(0, 10 * MAX_LINE)
    .replace(/<!\[CDATA\[|\]\]>/g, '')
    .replace(/&(?:lt|#60);/g, '<')
    .replace(/&(?:gt|#62);/g, '>');
  // An email address may be in angle brackets, as in `Ann <a@b.example>`.
  const plain = decodeReferences(text.replace(/<(?![^<>\s"'=]+@[^<>\s"'=]+>)[a-z/!][^<>]*>/gi, ' '));
  const line = oneLine(plain.replace(/([([<])[([<\s]+/g, '$1')).slice(0, MAX_LINE);
  return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

interface Surroundings {
  base: string;
  itemAt?: number | undefined;
}

/** The feed parser reports the `xml:base` of a feed, an entry and an Atom text only, so URLs are made absolute here. */
export function pushDownBases(text: string, documentBase: string): string {
  if (!text.includes('xml:base')) return text;
  const pieces: string[] = [];
  const open = new OpenElements<Surroundings>();
  for (const piece of piecesOf(text)) {
    const around = open.innermost ?? { name: '', value: { base: documentBase } };
    const raw = text.slice(piece.start, piece.end);
    if (piece.kind === 'open' || piece.kind === 'empty') {
      const inside = surroundings(piece, raw, { pieces, around: around.value });
      pieces.push(rewritten(piece, raw, inside.base));
      if (piece.kind === 'open') open.open(localName(piece.name), inside);
    } else {
      pieces.push(around.name === 'link' && piece.kind === 'text' ? linkText(raw, around.value.base) : raw);
      if (piece.kind === 'close') open.close(localName(piece.name));
    }
  }
  return pieces.join('');
}

function surroundings(
  { name }: Piece,
  raw: string,
  { pieces, around }: { pieces: string[]; around: Surroundings },
): Surroundings {
  const local = localName(name);
  const base = innerBase(around.base, attribute(raw, 'xml:base')?.replaceAll('&amp;', '&'));
  if (ITEMS.has(local)) return { base, itemAt: pieces.length };
  const { itemAt } = around;
  if (TEXTS.has(local) && base !== around.base && itemAt !== undefined) {
    pieces[itemAt] = withAttribute(pieces[itemAt] ?? '', 'xml:base', base);
  }
  return { base, itemAt };
}

function rewritten({ name }: Piece, raw: string, base: string): string {
  if (ITEMS.has(localName(name))) return withAttribute(raw, 'xml:base', base);
  const addressed = ADDRESS_ATTRIBUTES.find((candidate) => attribute(raw, candidate) !== undefined);
  const address = addressed && webAddress(attribute(raw, addressed)?.replaceAll('&amp;', '&'), base);
  return address ? withAttribute(raw, addressed, address) : raw;
}

/** RSS writes the URL of a link between its tags. */
function linkText(raw: string, base: string): string {
  if (!raw.trim()) return raw;
  return webAddress(raw.replaceAll('&amp;', '&'), base)?.replaceAll('&', '&amp;') ?? raw;
}
