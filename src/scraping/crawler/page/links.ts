import { parseWebAddress } from '../../../platform/http/web-address.js';
import type { PageContent } from '../../scraper.js';
import { attribute, type Element } from './html-tree.js';
import { visibleText } from './visible-text.js';

type Link = PageContent['links'][number];

const MOST_LINKS = 2_000;
const LONGEST_ADDRESS = 2_000;
const LONGEST_TEXT = 200;
/** Old sites show their pages in frames. */
const ADDRESSES: Record<string, string> = { a: 'href', area: 'href', frame: 'src' };

/** Where a page leads, each address once. */
export function linksOf(elements: Element[], pageUrl: string): Link[] {
  const base = baseOf(elements, pageUrl);
  const first = new Map<string, Link>();
  for (const element of elements) {
    if (first.size >= MOST_LINKS) break;
    const url = addressOf(element, base);
    if (url && !first.has(url)) first.set(url, { url, text: labelOf(element), rel: relOf(element) });
  }
  return [...first.values()];
}

function baseOf(elements: Element[], pageUrl: string): URL {
  const page = new URL(pageUrl);
  const base = elements.find((element) => element.tagName === 'base' && attribute(element, 'href') !== undefined);
  return (base && parseWebAddress(attribute(base, 'href') ?? '', page)?.url) ?? page;
}

function addressOf(element: Element, base: URL): string | undefined {
  const href = attribute(element, ADDRESSES[element.tagName] ?? '');
  if (href === undefined || href.length > LONGEST_ADDRESS) return undefined;
  const url = parseWebAddress(href, base)?.url;
  if (!url) return undefined;
  url.hash = '';
  return url.href.length > LONGEST_ADDRESS ? undefined : url.href;
}

function labelOf(element: Element): string {
  const said = visibleText(element, LONGEST_TEXT).replaceAll('\n', ' ');
  return (said || attribute(element, 'ariaLabel') || attribute(element, 'title') || '').slice(0, LONGEST_TEXT);
}

const relOf = (element: Element) => (attribute(element, 'rel') ?? '').toLowerCase().slice(0, LONGEST_TEXT);
