import type { RssFeed } from 'feedsmith';
import {
  add,
  inside,
  items,
  links,
  number,
  type Reader,
  SHARED,
  SHARED_BY_FEEDS,
  SHARED_BY_ITEMS,
  set,
  text,
  type Values,
} from './element-readers.js';
import { refuse } from './not-plain.js';
import { MEDIA } from './plain-media.js';
import type { PlainXml } from './plain-xml.js';

const MAX_PERSON_LENGTH = 300;

/** A name, as far as the feed parser finds nothing else in it. */
const NAME = /^[^<>&@[\](){}]*$/;
const ADDRESS = /:\/\/|www\.|mailto:/i;
const EMAIL = /^[\w.+-]+@[\w-]+\.[\w.-]*\w$/;
const EMAIL_AND_NAME = /^([\w.+-]+@[\w-]+\.[\w.-]*\w) \(([^<>&@[\](){}]+)\)$/;

/** Elements of Atom that the general reader looks into. */
const OF_ATOM = 'title author content summary id published updated issued modified created'
  .split(' ')
  .map((name): [string, Reader] => [`atom:${name}`, refuse]);

/** Elements of Atom without a prefix, which the general reader renames. */
const UNPREFIXED = 'content summary id published updated issued modified created'
  .split(' ')
  .map((name): [string, Reader] => [name, refuse]);

const ITEM = new Map<string, Reader>([
  ...OF_ATOM,
  ...UNPREFIXED,
  ...SHARED,
  ...SHARED_BY_ITEMS,
  ...MEDIA,
  ['title', text('title')],
  ['link', readLink],
  ['description', text('description')],
  ['guid', readGuid],
  ['pubdate', text('pubDate')],
  ['author', (xml, item) => add(item, 'authors', personOf(xml))],
  ['enclosure', readEnclosure],
  ['content:encoded', text('encoded', 'content')],
  ['itunes:author', text('author', 'itunes')],
  ['itunes:title', text('title', 'itunes')],
  ['itunes:summary', text('summary', 'itunes')],
  ['atom:link', links('atom')],
]);

const CHANNEL = new Map<string, Reader>([
  ...OF_ATOM,
  ...SHARED,
  ...SHARED_BY_FEEDS,
  ['title', text('title')],
  ['link', text('link')],
  ['ttl', number('ttl')],
  ['managingeditor', (xml, channel) => set(channel, 'managingEditor', personOf(xml))],
  ['itunes:author', text('author', 'itunes')],
  ['atom:link', links('atom')],
  ['item', items('items', ITEM)],
]);

const RSS = new Map<string, Reader>([
  ['channel', (xml, rss) => set(rss, 'channel', inside(xml, CHANNEL))],
  ['image', refuse],
  ['textinput', refuse],
]);

export function plainRss(xml: PlainXml): RssFeed.Feed<string> {
  // The feed parser would give every element the prefix of this namespace.
  if (xml.attribute('xmlns') !== undefined) refuse();
  return inside(xml, RSS).channel ?? refuse();
}

function readLink(xml: PlainXml, item: Values): void {
  if (xml.attribute('href') !== undefined) refuse();
  set(item, 'link', xml.content());
}

function readGuid(xml: PlainXml, item: Values): void {
  const written = xml.attribute('ispermalink');
  if (written !== undefined && written !== 'true' && written !== 'false') refuse();
  set(item, 'guid', { value: xml.content(), isPermaLink: written === undefined ? undefined : written === 'true' });
}

function readEnclosure(xml: PlainXml, item: Values): void {
  const enclosure = { url: xml.attribute('url'), type: xml.attribute('type') };
  xml.onlyAttributes();
  add(item, 'enclosures', enclosure);
}

function personOf(xml: PlainXml): Values | undefined {
  const line = xml.content();
  if (line === undefined) return undefined;
  if (line.length > MAX_PERSON_LENGTH || ADDRESS.test(line)) refuse();
  if (NAME.test(line)) return { name: line };
  if (EMAIL.test(line)) return { email: line };
  const [, email, name] = EMAIL_AND_NAME.exec(line) ?? refuse();
  return { name: name?.trim(), email };
}
