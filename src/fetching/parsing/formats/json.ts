import type { JsonFeed } from 'feedsmith';
import { webAddress } from '../addresses.js';
import { authorOf } from '../author.js';
import type { Channel, Item } from '../channel.js';
import { mediaOf } from '../media.js';
import { escapeHtml } from '../text/escape-html.js';
import { oneLine } from '../text/plain-text.js';
import type { FormatContext } from './context.js';

type Feed = JsonFeed.Feed<string>;
type JsonItem = JsonFeed.Item<string>;

export function fromJson(feed: Feed, { base }: FormatContext): Channel {
  return {
    title: feed.title && oneLine(feed.title),
    siteUrl: webAddress(feed.home_page_url, base),
    hubUrl: webAddress(feed.hubs?.find(({ type }) => !type || /websub/i.test(type))?.url, base),
    selfUrl: webAddress(feed.feed_url, base),
    allows: {},
    items: (feed.items ?? []).map((item) => fromItem(item, feed, base)),
  };
}

function fromItem(item: JsonItem, feed: Feed, base: string): Item {
  const people = (item.authors ?? feed.authors)?.map(({ name, url, avatar }) => ({
    name,
    link: url,
    avatarUrl: webAddress(avatar, base),
  }));
  const text = item.content_text ?? item.summary;
  return {
    id: item.id,
    url: webAddress(item.url, base) ?? webAddress(item.external_url, base),
    title: item.title && oneLine(item.title),
    content: item.content_html ?? (text && escapeHtml(text)),
    contentBase: base,
    author: authorOf(people),
    media: mediaOf(
      [
        ...(item.attachments ?? []).map(({ url, mime_type: type }) => ({ url, type })),
        { url: item.image },
        { url: item.banner_image },
      ],
      base,
    ),
    dates: [item.date_published, item.date_modified].filter((date) => date !== undefined),
  };
}
