import { webAddress } from '../addresses.js';
import { type Link, linksOf } from './links.js';

/** RFC 5005. An archive stays as it is while it is walked, pages do not: it comes first. */
const KINDS = ['prev-archive', 'next'];
/** A longer address is a mistake. */
const MAX_LENGTH = 2_000;

const FIRST_ITEM = /<(?:[\w.-]{1,99}:)?(?:item|entry)[\s/>]/i;
/** The prefix, or none, for which RFC 5005's namespace is declared. */
const HISTORY = /\sxmlns(?::([\w.-]{1,99}))?\s{0,9}=\s{0,9}["']http:\/\/purl\.org\/syndication\/history\/1\.0["']/gi;

interface Page {
  base: string;
  /** Its own addresses: who leads to itself leads nowhere. */
  own: (string | undefined)[];
  /** The document. */
  text: string;
}

/** Where the posts that are older than those of this page begin. */
export function olderPage(links: Link[] | undefined, { base, own, text }: Page): string | undefined {
  const here = new Set(own.map((address) => address && withoutFragment(address)));
  const older = KINDS.flatMap((kind) => linksOf(links, kind))
    .filter(({ type }) => !type || !/html/i.test(type))
    .map(({ href }) => withoutFragment(webAddress(href, base) ?? ''))
    .find((address) => address && address.length <= MAX_LENGTH && !here.has(address));
  return older && !isComplete(text) ? older : undefined;
}

/** Whether the feed says that it has no more than this. iTunes has a `complete`, too, which means something else. */
function isComplete(text: string): boolean {
  const [head = ''] = text.split(FIRST_ITEM, 1);
  return [...head.matchAll(HISTORY)].some(([, prefix]) => {
    const name = prefix ? `${prefix.replaceAll('.', '\\.')}:complete` : 'complete';
    return new RegExp(`<${name}[\\s/>]`, 'i').test(head);
  });
}

function withoutFragment(address: string): string {
  return address.replace(/#.*$/s, '');
}
