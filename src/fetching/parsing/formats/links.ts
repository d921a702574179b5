import { otherAddress, webAddress } from '../addresses.js';

export interface Link {
  href?: string | undefined;
  rel?: string | undefined;
  type?: string | undefined;
}

/** All usable links of a kind, in their order. */
export function linksTo(links: Link[] | undefined, rel: string, base: string): string[] {
  return linksOf(links, rel)
    .map(({ href }) => webAddress(href, base))
    .filter((address) => address !== undefined);
}

/** The first usable link of a kind; one that says no kind is an alternate. Of alternates a page comes before another format. */
export function linkTo(links: Link[] | undefined, rel: string, base: string): string | undefined {
  const ofKind = linksOf(links, rel);
  const pages = ofKind.filter(({ type }) => !type || /html/i.test(type));
  for (const { href } of [...pages, ...ofKind]) {
    const address = webAddress(href, base);
    if (address) return address;
  }
  return undefined;
}

/** Where something is to be read: a page if there is one, else what else can be opened. */
export function placeOf(links: Link[] | undefined, base: string): string | undefined {
  const other = () => linksOf(links, 'alternate').map(({ href }) => otherAddress(href));
  return linkTo(links, 'alternate', base) ?? other().find((address) => address !== undefined);
}

export function linksOf(links: Link[] | undefined, rel: string): Link[] {
  return (links ?? []).filter((link) => relOf(link) === rel);
}

/** Registered kinds may also be written as an address. */
function relOf({ rel = 'alternate' }: Link): string {
  return rel
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\/www\.iana\.org\/assignments\/relation\//, '');
}
