import { add, groupOf, inside, type Reader, set, type Values } from './element-readers.js';
import { refuse } from './not-plain.js';
import type { PlainXml } from './plain-xml.js';

const COMMON: [string, Reader][] = [
  ['media:title', described('title')],
  ['media:description', described('description')],
  ['media:thumbnail', readThumbnail],
  ['media:community', readCommunity],
];

const CONTENT = new Map(COMMON);
const GROUP = new Map([...COMMON, ['media:content', readContent] as const]);

const COMMUNITY = new Map<string, Reader>([
  ['media:starrating', counts('starRating', 'count')],
  ['media:statistics', counts('statistics', 'favorites')],
]);

/** Elements of Media RSS in an item, as far as posts need them. */
export const MEDIA: [string, Reader][] = [
  ...COMMON.map(([name, read]): [string, Reader] => [name, (xml, into) => read(xml, groupOf(into, 'media'))]),
  ['media:content', (xml, into) => readContent(xml, groupOf(into, 'media'))],
  ['media:group', readGroup],
];

function readGroup(xml: PlainXml, into: Values): void {
  const media = groupOf(into, 'media');
  // The first group with a text or with counts would decide.
  if ('groups' in media) refuse();
  add(media, 'groups', inside(xml, GROUP));
}

function readContent(xml: PlainXml, into: Values): void {
  const [url, type] = [xml.attribute('url'), xml.attribute('type')];
  const content = inside(xml, CONTENT);
  if (content.community) refuse();
  add(into, 'contents', { url, type, thumbnails: content.thumbnails });
}

function readThumbnail(xml: PlainXml, into: Values): void {
  const url = xml.attribute('url');
  xml.onlyAttributes();
  add(into, 'thumbnails', { url });
}

function described(key: string): Reader {
  return (xml, into) => {
    const type = xml.attribute('type');
    const value = xml.content();
    set(into, key, value || type ? { value, type } : undefined);
  };
}

function readCommunity(xml: PlainXml, into: Values): void {
  set(into, 'community', inside(xml, COMMUNITY));
}

function counts(key: string, name: string): Reader {
  return (xml, into) => {
    const written = xml.attribute(name);
    if (written !== undefined && !/^\d{1,15}$/.test(written)) refuse();
    xml.onlyAttributes();
    set(into, key, { [name]: written === undefined ? undefined : Number(written) });
  };
}
