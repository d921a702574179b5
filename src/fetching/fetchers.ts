import type { Fetcher } from './fetcher.js';
import { bluesky } from './fetchers/bluesky.js';
import { mastodon } from './fetchers/mastodon.js';
import { rss } from './fetchers/rss.js';
import { youtube } from './fetchers/youtube.js';

/** Every kind of source. An address is offered to them in this order. */
export const FETCHERS: readonly Fetcher[] = [youtube, bluesky, mastodon, rss];
