import { fromHtml } from 'hast-util-from-html';
import { parseWebAddress } from '../platform/http/web-address.js';

interface FeedLink {
  url: string;
  title: string | null;
}

export interface FeedLinks {
  announced: FeedLink[];
  guesses: string[];
}

/** Only the beginning of a page is read, because it contains the links to feeds. */
const MAX_CHARACTERS = 1_000_000;
const MAX_LINKS = 100;

const FEED_TYPES = /^application\/(rss\+xml|atom\+xml|rdf\+xml|feed\+json)$/;
/** Sites also use this type for other data, such as the page itself. */
const PERHAPS_FEED_TYPES = /^(application|text)\/(json|xml)$/;
const FEED_ADDRESS = /(^|[/.?=&_-])(feeds?|rss|atom)([/.?=&_-]|$)|\.(rss|atom|rdf)$|\/index\.xml$/i;
const FEED_HOST = /^(feeds?|rss)\d?\./;
const COMMENTS = /\bcomments?\b/i;

type Root = ReturnType<typeof fromHtml>;
type Element = Extract<Root['children'][number], { type: 'element' }>;

export function feedLinks(html: string, pageUrl: string): FeedLinks {
  const elements = linkingElements(html.slice(0, MAX_CHARACTERS));
  const base = baseOf(elements, pageUrl);
  const alternates = elements.filter(({ tagName, properties }) => tagName === 'link' && isAlternate(properties));
  const ofType = (types: RegExp) =>
    alternates
      .filter(({ properties }) => types.test(mediaType(properties)))
      .flatMap((element) => toLink(element, base));
  const anchors = elements.filter(({ tagName }) => tagName === 'a').flatMap((element) => toLink(element, base));
  const announced = unique(ofType(FEED_TYPES));
  const perhaps = [...ofType(PERHAPS_FEED_TYPES), ...anchors.filter(({ url }) => looksLikeFeed(url, pageUrl))];
  return {
    announced: [...announced.filter((link) => !isOfComments(link)), ...announced.filter(isOfComments)],
    guesses: unique([...perhaps.filter((link) => !isOfComments(link)), ...perhaps.filter(isOfComments)]).map(
      ({ url }) => url,
    ),
  };
}

/** A page that is nested too deeply is read up to its body. */
function linkingElements(html: string): Element[] {
  try {
    return elementsIn(fromHtml(html));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const body = html.search(/<body[\s>]/i);
    return body === -1 ? [] : linkingElements(html.slice(0, body));
  }
}

function elementsIn(root: Root): Element[] {
  const found: Element[] = [];
  const open: (Root | Root['children'][number])[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'element' && ['base', 'link', 'a'].includes(node.tagName)) found.push(node);
    if (!('children' in node)) continue;
    for (const child of node.children.toReversed()) open.push(child);
  }
  return found;
}

function baseOf(elements: Element[], pageUrl: string): string {
  const base = elements.find(({ tagName, properties }) => tagName === 'base' && properties.href !== undefined);
  return (base && parseWebAddress(String(base.properties.href).trim(), new URL(pageUrl))?.url.href) ?? pageUrl;
}

function isAlternate({ rel, href }: Element['properties']): boolean {
  const kinds = Array.isArray(rel) ? rel.map((kind) => String(kind).toLowerCase()) : [];
  return kinds.includes('alternate') && !kinds.includes('stylesheet') && href !== undefined;
}

const mediaType = ({ type }: Element['properties']) =>
  String(type ?? '')
    .split(';', 1)[0]
    ?.trim()
    .toLowerCase() ?? '';

function toLink({ properties: { href, title } }: Element, base: string): FeedLink[] {
  const address = parseWebAddress(
    String(href ?? '')
      .trim()
      .replace(/^feed:(\/\/)?(?=https?:)/i, ''),
    new URL(base),
  );
  if (!address || href === undefined) return [];
  address.url.hash = '';
  return [{ url: address.url.href, title: String(title ?? '').trim() || null }];
}

function looksLikeFeed(url: string, pageUrl: string): boolean {
  const { pathname, search, host } = new URL(url);
  if (host !== new URL(pageUrl).host && !FEED_HOST.test(host)) return false;
  return FEED_HOST.test(host) || FEED_ADDRESS.test(pathname + search);
}

const isOfComments = ({ url, title }: FeedLink) => COMMENTS.test(`${title ?? ''} ${new URL(url).pathname}`);

function unique(links: FeedLink[]): FeedLink[] {
  const first = new Map<string, FeedLink>();
  for (const link of links) if (!first.has(link.url)) first.set(link.url, link);
  return [...first.values()].slice(0, MAX_LINKS);
}
