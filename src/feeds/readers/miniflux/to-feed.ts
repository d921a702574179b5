import { opmlAddress } from '../../../following/opml-address.js';
import type { ReaderFeed } from '../core/reader-feeds.js';
import type { ReaderFolder } from '../core/reader-folders.js';

/** The category of feeds without a folder. Miniflux has no feeds without a category. */
const NO_FOLDER_TITLE = 'All';
const NEVER = '0001-01-01T00:00:00Z';

/** Settings of a feed that have no meaning here. Clients in typed languages need the fields. */
const SETTINGS = {
  description: '',
  language: '',
  etag_header: '',
  last_modified_header: '',
  scraper_rules: '',
  rewrite_rules: '',
  blocklist_rules: '',
  keeplist_rules: '',
  block_filter_entry_rules: '',
  keep_filter_entry_rules: '',
  urlrewrite_rules: '',
  user_agent: '',
  cookie: '',
  username: '',
  password: '',
  disabled: false,
  no_media_player: false,
  ignore_http_cache: false,
  allow_self_signed_certificates: false,
  fetch_via_proxy: false,
  hide_globally: false,
  disable_http2: false,
  pushover_enabled: false,
  ntfy_enabled: false,
  crawler: false,
  ignore_entry_updates: false,
  apprise_service_urls: '',
  webhook_url: '',
  ntfy_priority: 0,
  ntfy_topic: '',
  pushover_priority: 0,
  proxy_url: '',
};

export const toCategory = (userId: string, { id, folder }: ReaderFolder) => ({
  id,
  title: folder ?? NO_FOLDER_TITLE,
  user_id: Number(userId),
  hide_globally: false,
});

export const folderTitled = (title: string) => (title === NO_FOLDER_TITLE ? null : title);

export function toFeed(userId: string, feed: ReaderFeed, folders: ReaderFolder[]) {
  const folder = folders.find((one) => one.folder === feed.folder);
  const id = Number(feed.id);
  return {
    id,
    user_id: Number(userId),
    feed_url: opmlAddress(feed),
    site_url: feed.siteUrl ?? opmlAddress(feed),
    title: feed.title ?? feed.externalId,
    checked_at: timeOf(feed.lastFetchAt),
    next_check_at: timeOf(feed.nextFetchAt),
    parsing_error_message: feed.lastError ?? '',
    parsing_error_count: feed.failures,
    ...SETTINGS,
    category: folder ? toCategory(userId, folder) : null,
    icon: feed.iconId === null ? null : { feed_id: id, icon_id: Number(feed.iconId), external_icon_id: '' },
  };
}

const timeOf = (time: Date | null) => (time === null ? NEVER : new Date(time).toISOString());
