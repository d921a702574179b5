import type { AtomFeed } from 'feedsmith';
import { innerBase, webAddress } from '../addresses.js';
import { allowanceOf } from '../allowance.js';
import { authorOf, type Person, personFromLine } from '../author.js';
import type { Channel, Item } from '../channel.js';
import { mediaOf, mediaRss, metricsOf } from '../media.js';
import { atomHtml, atomLine } from './atom-text.js';
import type { FormatContext } from './context.js';
import { linksTo, linkTo, readableUrl } from './links.js';
import { olderPage } from './older-page.js';

type Feed = AtomFeed.Feed<string>;
type Entry = AtomFeed.Entry<string>;

export function fromAtom(feed: Feed, { base: documentBase, text, rawItems }: FormatContext): Channel {
  const base = innerBase(documentBase, feed.xml?.base);
  const selfUrl = linkTo(feed.links, 'self', base);
  return {
    title: atomLine(feed.title) ?? feed.dc?.titles?.[0],
    siteUrl: linkTo(feed.links, 'alternate', base),
    hubUrls: linksTo(feed.links, 'hub', base),
    selfUrl,
    olderUrl: olderPage(feed.links, { base, own: [documentBase, selfUrl], text }),
    allows: allowanceOf(feed.sy ?? {}, text),
    author: authorOf(people(feed.authors) ?? feed.dc?.creators?.map(personFromLine)),
    items: (feed.entries ?? []).map((entry) => fromEntry(entry, base, rawItems)),
  };
}

function fromEntry(entry: Entry, feedBase: string, rawItems: unknown[]): Item {
  const base = innerBase(feedBase, entry.xml?.base);
  const { links, content, summary, media } = entry;
  const html = atomHtml(content) ?? atomHtml(summary) ?? mediaDescription(entry);
  const textBase = (atomHtml(content) ? content : summary)?.xml?.base;
  return {
    id: entry.id,
    url: readableUrl(links, base) ?? webAddress(content?.src, base) ?? webAddress(entry.id),
    title: atomLine(entry.title) ?? entry.dc?.titles?.[0] ?? media?.title?.value,
    content: html,
    contentBase: innerBase(base, textBase),
    author: authorOf(people(entry.authors) ?? entry.dc?.creators?.map(personFromLine) ?? people(entry.source?.authors)),
    media: mediaOf(
      [
        ...(links ?? []).filter(({ rel }) => rel === 'enclosure').map(({ href, type }) => ({ url: href, type })),
        ...mediaRss(media),
        { url: entry.itunes?.image },
      ],
      base,
    ),
    metrics: metricsOf({ comments: entry.slash?.comments ?? entry.thr?.total, media }),
    dates: datesOf(entry),
    raw: rawItems[Number(entry.xml?.id)],
  };
}

function datesOf({ published, updated, dc, dcterms }: Entry): string[] {
  return [
    published,
    ...(dcterms?.issued ?? []),
    ...(dcterms?.created ?? []),
    ...(dc?.dates ?? []),
    updated,
    ...(dcterms?.modified ?? []),
  ].filter((date) => date !== undefined);
}

function mediaDescription({ media }: Entry): string | undefined {
  const text = media?.description ?? media?.groups?.[0]?.description;
  return text && atomHtml(text);
}

function people(authors: AtomFeed.Person[] | undefined): Person[] | undefined {
  const known = authors?.map(({ name, email, uri }) => ({ name, email, link: uri }));
  return known?.length ? known : undefined;
}
