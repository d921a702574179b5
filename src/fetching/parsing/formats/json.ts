import type { JsonFeed } from 'feedsmith';
import { webAddress } from '../addresses.js';
import { authorOf, type Person } from '../author.js';
import type { Channel, Item } from '../channel.js';
import { mediaOf } from '../media.js';
import { escapeHtml } from '../text/escape-html.js';
import { oneLine } from '../text/plain-text.js';
import type { FormatContext } from './context.js';
import { olderPage } from './older-page.js';

type Feed = JsonFeed.Feed<string>;
type JsonItem = JsonFeed.Item<string>;

export function fromJson(feed: Feed, { base, rawItems }: FormatContext): Channel {
  const selfUrl = webAddress(feed.feed_url, base);
  return {
    title: feed.title && oneLine(feed.title),
    siteUrl: webAddress(feed.home_page_url, base),
    hubUrls: hubsOf(feed, base),
    selfUrl,
    olderUrl: olderPage([{ rel: 'next', href: feed.next_url }], { base, own: [base, selfUrl], text: '' }),
    allows: {},
    author: authorOf(people(feed.authors, base)),
    items: itemsOf(feed, rawItems).map(({ item, raw }) => fromItem(item, base, raw)),
  };
}

function hubsOf({ hubs = [] }: Feed, base: string): string[] {
  const speakWebSub = hubs.filter(({ type }) => !type || /websub/i.test(type));
  return speakWebSub.map(({ url }) => webAddress(url, base)).filter((url) => url !== undefined);
}

/** All that are written, also those that the feed parser has dropped. */
function itemsOf({ items = [] }: Feed, rawItems: unknown[]): { item: JsonItem; raw: unknown }[] {
  if (rawItems.length === 0) return items.map((item) => ({ item, raw: undefined }));
  const byMark = new Map(items.map((item) => [Number(item.language), item]));
  return rawItems.map((raw, mark) => ({ item: byMark.get(mark) ?? {}, raw }));
}

function fromItem(item: JsonItem, base: string, raw: unknown): Item {
  const text = item.content_text ?? item.summary;
  return {
    id: item.id,
    url: webAddress(item.url, base) ?? webAddress(item.external_url, base),
    title: item.title && oneLine(item.title),
    content: item.content_html ?? (text && escapeHtml(text)),
    contentBase: base,
    author: authorOf(people(item.authors, base)),
    media: mediaOf(
      [
        ...(item.attachments ?? []).map(({ url, mime_type: type }) => ({ url, type })),
        { url: item.image },
        { url: item.banner_image },
      ],
      base,
    ),
    dates: [item.date_published, item.date_modified].filter((date) => date !== undefined),
    raw,
  };
}

function people(authors: JsonFeed.Author[] | undefined, base: string): Person[] | undefined {
  return authors?.map(({ name, url, avatar }) => ({ name, link: url, avatarUrl: webAddress(avatar, base) }));
}
