import type { AtomFeed } from 'feedsmith';
import {
  add,
  inside,
  items,
  links,
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

const ATOM = 'http://www.w3.org/2005/Atom';

const PERSON = new Map<string, Reader>([
  ['name', text('name')],
  ['email', text('email')],
  ['uri', text('uri')],
  ['url', refuse],
  ['length', refuse],
]);

const SOURCE = new Map<string, Reader>([['author', readAuthor]]);

/** Older names of the dates, which count only where the newer ones are missing. */
const OF_ATOM_0_3 = ['issued', 'created', 'modified'].map((name): [string, Reader] => [name, refuse]);

const ENTRY = new Map<string, Reader>([
  ...SHARED,
  ...SHARED_BY_ITEMS,
  ...MEDIA,
  ['id', text('id')],
  ['title', readText('title')],
  ['content', readText('content')],
  ['summary', readText('summary')],
  ['link', links()],
  ['author', readAuthor],
  ['published', text('published')],
  ['updated', text('updated')],
  ...OF_ATOM_0_3,
  ['source', (xml, entry) => set(entry, 'source', inside(xml, SOURCE))],
]);

const FEED = new Map<string, Reader>([
  ...SHARED,
  ...SHARED_BY_FEEDS,
  ['title', readText('title')],
  ['link', links()],
  ['author', readAuthor],
  ['entry', items('entries', ENTRY)],
]);

export function plainAtom(xml: PlainXml): AtomFeed.Feed<string> {
  // Elements with a prefix of Atom would be the same as those without.
  if (xml.attribute('xmlns') !== ATOM || xml.declares('atom')) refuse();
  return inside(xml, FEED);
}

function readAuthor(xml: PlainXml, into: Values): void {
  const { name, email, uri } = inside(xml, PERSON);
  if (name || email || uri) add(into, 'authors', { name, email, uri });
}

function readText(key: string): Reader {
  return (xml, into) => {
    const [type, src] = [xml.attribute('type'), xml.attribute('src')];
    if (type === 'xhtml' || type === 'application/xhtml+xml') refuse();
    const value = xml.content();
    set(into, key, value || src ? { value, type, src } : undefined);
  };
}
