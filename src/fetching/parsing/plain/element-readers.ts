import { refuse } from './not-plain.js';
import type { ElementReader, PlainXml } from './plain-xml.js';

/** The values of an element, named as the feed parser names them. */
export type Values = Record<string, unknown>;
export type Reader = ElementReader<Values>;

/** `group` is the namespace that the feed parser puts a value into. */
export function text(key: string, group?: string): Reader {
  return (xml, into) => set(groupOf(into, group), key, xml.content());
}

export function number(key: string, group?: string): Reader {
  return (xml, into) => set(groupOf(into, group), key, xml.number());
}

function list(key: string, group?: string): Reader {
  return (xml, into) => add(groupOf(into, group), key, xml.content());
}

export function links(group?: string): Reader {
  return (xml, into) => {
    const link = { href: xml.attribute('href'), rel: xml.attribute('rel'), type: xml.attribute('type') };
    xml.onlyAttributes();
    // Whether the feed is complete, so that an older page is none of it, is left to the general reader.
    if (link.rel && /next|prev/i.test(link.rel) && xml.mentions('syndication/history')) refuse();
    add(groupOf(into, group), 'links', link);
  };
}

/** The feed parser takes the first of several elements, even if it is empty. This is rare, so such feeds are left to it. */
export function set(into: Values, key: string, value: unknown): void {
  if (key in into) refuse();
  into[key] = value;
}

export function add(into: Values, key: string, value: unknown): void {
  if (value === undefined) return;
  const known = into[key];
  if (Array.isArray(known)) known.push(value);
  else into[key] = [value];
}

export function groupOf(into: Values, group: string | undefined): Values {
  if (group === undefined) return into;
  const known = into[group];
  if (isValues(known)) return known;
  const made: Values = {};
  into[group] = made;
  return made;
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null;
}

/** A longer feed is worth a thread of its own. */
const MAX_ITEMS = 1_000;

/** The feed parser drops items without any value, but the general reader still counts them. */
export function items(key: string, readers: ReadonlyMap<string, Reader>): Reader {
  return (xml, into) => {
    const before = xml.texts;
    const item = inside(xml, readers);
    add(into, key, item);
    const all = into[key];
    if (xml.texts === before || (Array.isArray(all) && all.length > MAX_ITEMS)) refuse();
  };
}

/** Reads the children of an element into values of their own. */
export function inside(xml: PlainXml, readers: ReadonlyMap<string, Reader>): Values {
  const values: Values = {};
  xml.children(values, readers);
  return values;
}

/** Dublin Core and counts, as RSS and Atom both use them. */
export const SHARED: [string, Reader][] = [
  ['dc:title', list('titles', 'dc')],
  ['dc:creator', list('creators', 'dc')],
  ['dc:publisher', list('publishers', 'dc')],
];

export const SHARED_BY_ITEMS: [string, Reader][] = [
  ['dc:date', list('dates', 'dc')],
  ['dc:description', list('descriptions', 'dc')],
  ['dc:identifier', list('identifiers', 'dc')],
  ['dcterms:issued', list('issued', 'dcterms')],
  ['dcterms:created', list('created', 'dcterms')],
  ['dcterms:date', list('dates', 'dcterms')],
  ['dcterms:modified', list('modified', 'dcterms')],
  ['dcterms:description', list('descriptions', 'dcterms')],
  ['dcterms:abstract', list('abstracts', 'dcterms')],
  ['dcterms:creator', list('creators', 'dcterms')],
  ['slash:comments', number('comments', 'slash')],
  ['thr:total', number('total', 'thr')],
  ['itunes:image', readImage],
];

export const SHARED_BY_FEEDS: [string, Reader][] = [
  ['sy:updateperiod', text('updatePeriod', 'sy')],
  ['sy:updatefrequency', number('updateFrequency', 'sy')],
];

function readImage(xml: PlainXml, into: Values): void {
  const href = xml.attribute('href');
  xml.onlyAttributes();
  set(groupOf(into, 'itunes'), 'image', href);
}
