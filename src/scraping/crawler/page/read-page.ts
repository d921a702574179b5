import { hostOf } from '../../../platform/hosts/host-of.js';
import { parseWebAddress } from '../../../platform/http/web-address.js';
import { storable } from '../../../platform/jobs/storable.js';
import type { PageContent } from '../../scraper.js';
import { robotsDirectives } from '../robots-txt.js';
import { emailsIn, emailsOfLink } from './emails.js';
import { attribute, type Element, elementsOf, innerText, parseHtml } from './html-tree.js';
import { organisationsInJsonLd } from './json-ld.js';
import { organisationsInMicrodata } from './microdata.js';
import { toOrganisation } from './organisation.js';
import { labelledNumbers, phoneOfLink, phonesOf } from './phones.js';
import { visibleText } from './visible-text.js';

const MAX_LINKS = 2_000;

const MAX_ADDRESS_LENGTH = 2_000;

const MAX_TEXT_LENGTH = 200;

/** Old sites show their pages in frames. */
const ADDRESSES: Record<string, string> = { a: 'href', area: 'href', frame: 'src' };

/** Longer input is cut off here, so that the memory of a thread suffices for any page. */
const MAX_CHARACTERS = 2_000_000;
const MAX_TEXT = 500_000;
/** Directories list many. */
const MAX_ORGANISATIONS = 250;
const MAX_LINE_LENGTH = 5_000;

/** Some pages take much time or memory to parse, so call it in a thread. */
export function readPage({ html, url }: { html: string; url: string }): PageContent {
  const tree = parseHtml(html.slice(0, MAX_CHARACTERS));
  const elements = [...elementsOf(tree)];
  const described = [...organisationsInJsonLd(jsonLdBlocks(elements)), ...organisationsInMicrodata(tree)];
  const text = visibleText(tree, MAX_TEXT);
  return storable({
    title: titleOf(elements),
    siteName: metaOf(elements, 'og:site_name') ?? metaOf(elements, 'application-name'),
    description: metaOf(elements, 'description') ?? metaOf(elements, 'og:description'),
    organisations: described.slice(0, MAX_ORGANISATIONS).flatMap((thing) => toOrganisation(thing, url) ?? []),
    ...contactsOf(elements, text, url),
    links: linksOf(elements, url),
    ...robotsDirectives(['robots', 'millrace'].flatMap((name) => metasOf(elements, name)).join(',')),
  });
}

function contactsOf(elements: Element[], text: string, url: string): { emails: string[]; phones: string[] } {
  const site = hostOf(new URL(url));
  const hrefs = elements.flatMap((element) => (element.tagName === 'a' ? (attribute(element, 'href') ?? []) : []));
  const { phones, faxes } = labelledNumbers(text);
  const emails = [...hrefs.flatMap((href) => emailsOfLink(href, site)), ...emailsIn(text, site)];
  return {
    emails: [...new Set(emails)],
    phones: phonesOf([...hrefs.flatMap((href) => phoneOfLink(href) ?? []), ...phones], faxes),
  };
}

function jsonLdBlocks(elements: Element[]): string[] {
  const isJsonLd = (element: Element) =>
    element.tagName === 'script' && /^\s*application\/ld\+json\s*(;|$)/i.test(attribute(element, 'type') ?? '');
  return elements.filter(isJsonLd).map(innerText);
}

function titleOf(elements: Element[]): string | undefined {
  const title = elements.find(({ tagName }) => tagName === 'title');
  return title && line(innerText(title));
}

const metaOf = (elements: Element[], name: string) => metasOf(elements, name)[0];

function metasOf(elements: Element[], name: string): string[] {
  const isNamed = (element: Element) =>
    ['name', 'property'].some((key) => attribute(element, key)?.trim().toLowerCase() === name);
  return elements
    .filter((element) => element.tagName === 'meta' && isNamed(element))
    .flatMap((element) => line(attribute(element, 'content') ?? '') ?? []);
}

const line = (text: string) => text.slice(0, MAX_LINE_LENGTH).replace(/\s+/g, ' ').trim() || undefined;

type Link = PageContent['links'][number];

function linksOf(elements: Element[], pageUrl: string): Link[] {
  const base = baseOf(elements, pageUrl);
  const first = new Map<string, Link>();
  for (const element of elements) {
    if (first.size >= MAX_LINKS) break;
    const url = linkTarget(element, base);
    if (url && !first.has(url)) first.set(url, { url, text: labelOf(element), rel: relOf(element) });
  }
  return [...first.values()];
}

function baseOf(elements: Element[], pageUrl: string): URL {
  const page = new URL(pageUrl);
  const base = elements.find((element) => element.tagName === 'base' && attribute(element, 'href') !== undefined);
  return (base && parseWebAddress(attribute(base, 'href') ?? '', page)?.url) ?? page;
}

function linkTarget(element: Element, base: URL): string | undefined {
  const href = attribute(element, ADDRESSES[element.tagName] ?? '');
  if (href === undefined || href.length > MAX_ADDRESS_LENGTH) return undefined;
  const url = parseWebAddress(href, base)?.url;
  if (!url) return undefined;
  url.hash = '';
  return url.href.length > MAX_ADDRESS_LENGTH ? undefined : url.href;
}

function labelOf(element: Element): string {
  const said = visibleText(element, MAX_TEXT_LENGTH).replaceAll('\n', ' ');
  return (said || attribute(element, 'ariaLabel') || attribute(element, 'title') || '').slice(0, MAX_TEXT_LENGTH);
}

const relOf = (element: Element) => (attribute(element, 'rel') ?? '').toLowerCase().slice(0, MAX_TEXT_LENGTH);
