import type { RdfFeed, RssFeed } from 'feedsmith';
import { innerBase, otherAddress, webAddress } from '../addresses.js';
import { allowanceOf } from '../allowance.js';
import { authorOf, type Person, personFromLine } from '../author.js';
import type { Channel, Item } from '../channel.js';
import { mediaOf, mediaRss, metricsOf } from '../media.js';
import { plainText } from '../text/plain-text.js';
import { atomHtml, atomLine } from './atom-text.js';
import type { FormatContext } from './context.js';
import { linksTo, linkTo, readableUrl } from './links.js';
import { olderPage } from './older-page.js';

/** RSS 1.0 is treated as RSS with fewer elements and with ids from RDF. */
type RssChannel = RssFeed.Feed<string> & RdfFeed.Feed<string>;
type RssItem = RssFeed.Item<string> & RdfFeed.Item<string>;

export function fromRss(feed: RssFeed.Feed<string> | RdfFeed.Feed<string>, context: FormatContext): Channel {
  const { base, text, rawItems } = context;
  const channel: RssChannel = feed;
  const channelBase = innerBase(base, channel.xml?.base);
  const siteUrl = webAddress(channel.link, channelBase) ?? linkTo(channel.atom?.links, 'alternate', channelBase);
  const selfUrl = linkTo(channel.atom?.links, 'self', channelBase);
  const items: RssItem[] = channel.items ?? [];
  return {
    title: plain(channel.title ?? channel.dc?.titles?.[0]) ?? atomLine(channel.atom?.title),
    siteUrl,
    hubUrls: linksTo(channel.atom?.links, 'hub', channelBase),
    selfUrl,
    olderUrl: olderPage(channel.atom?.links, { base: channelBase, own: [base, selfUrl], text }),
    allows: allowanceOf({ ttlMinutes: channel.ttl, ...channel.sy }, text),
    author: authorOf(channelAuthors(channel)),
    items: items.map((item) => fromItem(item, channelBase, rawItems)),
  };
}

function fromItem(item: RssItem, channelBase: string, rawItems: unknown[]): Item {
  const base = innerBase(channelBase, item.xml?.base);
  return {
    id: item.guid?.value ?? item.atom?.id ?? item.rdf?.about ?? item.dc?.identifiers?.[0],
    url: urlOf(item, base),
    title: titleOf(item),
    content: contentOf(item),
    contentBase: base,
    author: authorOf(itemAuthors(item)),
    media: mediaOf(
      [
        ...(item.enclosures ?? []),
        ...(item.atom?.links ?? [])
          .filter(({ rel }) => rel === 'enclosure')
          .map(({ href, type }) => ({ url: href, type })),
        ...mediaRss(item.media),
        { url: item.itunes?.image },
      ],
      base,
    ),
    metrics: metricsOf({ comments: item.slash?.comments ?? item.thr?.total, media: item.media }),
    dates: datesOf(item),
    raw: rawItems[Number(item.xml?.id)],
  };
}

function urlOf({ link, atom, guid, rdf }: RssItem, base: string): string | undefined {
  const permalink = guid?.isPermaLink === false ? undefined : guid?.value;
  return (
    webAddress(link, base) ??
    readableUrl(atom?.links, base) ??
    webAddress(permalink) ??
    webAddress(rdf?.about) ??
    otherAddress(link)
  );
}

function titleOf({ title, dc, itunes, media, atom }: RssItem): string | undefined {
  return plain(title ?? dc?.titles?.[0] ?? itunes?.title) ?? atomLine(atom?.title) ?? plain(media?.title?.value);
}

function contentOf({ content, description, atom, itunes, media, dc, dcterms }: RssItem): string | undefined {
  return (
    content?.encoded ??
    atomHtml(atom?.content) ??
    description ??
    atomHtml(atom?.summary) ??
    itunes?.summary ??
    media?.description?.value ??
    media?.groups?.[0]?.description?.value ??
    dc?.descriptions?.[0] ??
    dcterms?.descriptions?.[0] ??
    dcterms?.abstracts?.[0]
  );
}

function datesOf({ pubDate, dc, dcterms, atom }: RssItem): string[] {
  return [
    pubDate,
    ...(dc?.dates ?? []),
    atom?.published,
    ...(dcterms?.issued ?? []),
    ...(dcterms?.created ?? []),
    ...(dcterms?.dates ?? []),
    atom?.updated,
    ...(dcterms?.modified ?? []),
  ].filter((date) => date !== undefined);
}

function itemAuthors({ authors, dc, dcterms, itunes, atom }: RssItem): Person[] | undefined {
  return (
    some(authors) ??
    some((dc?.creators ?? dcterms?.creators)?.map(personFromLine)) ??
    some(itunes?.author ? [personFromLine(itunes.author)] : []) ??
    some(atom?.authors?.map(({ name, email, uri }) => ({ name, email, link: uri }))) ??
    some(dc?.publishers?.map(personFromLine))
  );
}

function channelAuthors({ managingEditor, dc, itunes, atom }: RssChannel): Person[] | undefined {
  return (
    some(dc?.creators?.map(personFromLine)) ??
    some(itunes?.author ? [personFromLine(itunes.author)] : []) ??
    some(atom?.authors?.map(({ name, email, uri }) => ({ name, email, link: uri }))) ??
    some(managingEditor ? [managingEditor] : []) ??
    some(dc?.publishers?.map(personFromLine))
  );
}

function plain(html: string | undefined): string | undefined {
  return html && (plainText(html) || undefined);
}

function some<T>(list: T[] | undefined): T[] | undefined {
  return list?.length ? list : undefined;
}
