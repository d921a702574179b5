import { hostOf } from '../../platform/hosts/host-of.js';
import type { HttpResponse } from '../../platform/http/http-response.js';
import type { Announcement, ParsedFeed } from '../fetcher.js';
import { webAddress } from '../parsing/addresses.js';

const MAX_HUBS = 5;
const MAX_ADDRESS_LENGTH = 2_000;

export function announcedHubs(
  { url, headers }: Pick<HttpResponse, 'url' | 'headers'>,
  { hubUrls = [], selfUrl }: Pick<ParsedFeed, 'hubUrls' | 'selfUrl'>,
): Announcement | undefined {
  const linked = linkHeader(headers.link, url);
  const hubs = [...new Set([...linkedAs(linked, 'hub'), ...hubUrls])].filter(isShort).slice(0, MAX_HUBS);
  // A feed that states no URL of its own is known by the URL it was fetched from.
  const topic = withoutCredentials(linkedAs(linked, 'self')[0] ?? selfUrl ?? url);
  // A copy of another site's feed names that site as topic. Its hub would push posts that were not published here.
  const isOwn = hostOf(new URL(topic)) === hostOf(new URL(url));
  return hubs.length && isShort(topic) && isOwn ? { hubs, topic } : undefined;
}

interface HeaderLink {
  url: string;
  rels: string[];
}

export function linkHeader(header: string | undefined, base?: string): HeaderLink[] {
  const found = (header ?? '').matchAll(/<([^<>]*)>([^<]*)/g);
  return [...found].flatMap(([, target, parameters = '']) => {
    const url = webAddress(target, base);
    const [, quoted, plain] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters) ?? [];
    const rels = (quoted ?? plain ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    return url ? [{ url, rels }] : [];
  });
}

export const linkedAs = (links: HeaderLink[], rel: string) =>
  links.filter(({ rels }) => rels.includes(rel)).map(({ url }) => url);

const isShort = (address: string) => address.length <= MAX_ADDRESS_LENGTH;

function withoutCredentials(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}
