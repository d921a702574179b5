import { NOT_PLAIN } from './not-plain.js';

/** The prefixes that the feed parser gives these namespaces, whatever the document calls them. */
const NAMESPACES = new Map([
  ['http://www.w3.org/2005/atom', 'atom'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  ['http://purl.org/dc/terms/', 'dcterms'],
  ['http://purl.org/rss/1.0/modules/content/', 'content'],
  ['http://purl.org/rss/1.0/modules/slash/', 'slash'],
  ['http://purl.org/rss/1.0/modules/syndication/', 'sy'],
  ['http://purl.org/syndication/thread/1.0', 'thr'],
  ['http://search.yahoo.com/mrss/', 'media'],
  ['http://www.itunes.com/dtds/podcast-1.0.dtd', 'itunes'],
]);

const PREFIXES = new Set(NAMESPACES.values());

/** Other spellings of the namespaces above, and those of whole formats. */
const SIMILAR =
  /2005\/atom|purl\.org\/(?:atom|dc\b|rss\/1\.0\/?$)|dublincore|modules\/(?:content|slash|syndication|threading)|syndication\/(?:thread|history)|mrss|media-rss|searchmonkey\/media|itunes/;

const DECLARATION = /([\w.-]{1,99})\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')/y;

export interface Declarations {
  /** The name in lower case, with the prefix that the feed parser uses. */
  canonical(name: string): string;
  declared: ReadonlySet<string>;
}

/** The feed parser searches for declarations in as many characters, and in the tags that it meets later. */
const SEARCHED_LENGTH = 65_536;

const FIRST_ITEM = /<(?:item|entry)[\s>]/g;

/** Declarations count for the whole document, wherever they are. Those in items must rename nothing. */
export function declaredNames(text: string, root: number): Declarations {
  const renamed = new Map<string, string>();
  const declared = new Set<string>();
  FIRST_ITEM.lastIndex = root;
  const headEnd = Math.min(FIRST_ITEM.exec(text)?.index ?? 0, SEARCHED_LENGTH);
  for (let at = text.indexOf('xmlns:', root); at >= 0; at = text.indexOf('xmlns:', at + 6)) {
    DECLARATION.lastIndex = at + 6;
    const [, prefix = '', double, single] = DECLARATION.exec(text) ?? [];
    const uri = double ?? single;
    if (!prefix || uri === undefined) throw NOT_PLAIN;
    const address = uri.trim().toLowerCase();
    declare({ prefix: prefix.toLowerCase(), uri: address, inHead: DECLARATION.lastIndex < headEnd }, renamed);
    declared.add(NAMESPACES.get(address) ?? '');
  }
  const known = new Map<string, string>();
  const canonical = (name: string) => {
    const found = known.get(name) ?? canonicalName(name.toLowerCase(), renamed);
    known.set(name, found);
    return found;
  };
  return { canonical, declared };
}

interface Declaration {
  prefix: string;
  uri: string;
  inHead: boolean;
}

function declare({ prefix, uri, inHead }: Declaration, renamed: Map<string, string>): void {
  const canonical = NAMESPACES.get(uri);
  if (canonical === prefix) {
    if (renamed.has(prefix)) throw NOT_PLAIN;
  } else if (canonical === undefined) {
    if (PREFIXES.has(prefix) || SIMILAR.test(uri)) throw NOT_PLAIN;
  } else if (!inHead || PREFIXES.has(prefix) || renamed.has(prefix)) throw NOT_PLAIN;
  else renamed.set(prefix, canonical);
}

function canonicalName(name: string, renamed: Map<string, string>): string {
  const colon = name.indexOf(':');
  const prefix = colon < 0 ? undefined : renamed.get(name.slice(0, colon));
  return prefix === undefined ? name : prefix + name.slice(colon);
}
