import type { Config } from '../platform/config.js';
import type { Fetcher } from './fetcher.js';
import { bluesky } from './fetchers/bluesky.js';
import { instagram } from './fetchers/instagram.js';
import { mastodon } from './fetchers/mastodon.js';
import { rss } from './fetchers/rss.js';
import { twitter } from './fetchers/twitter.js';
import { youtube } from './fetchers/youtube.js';
import { remoteFetcher, unknownRemoteFetcher } from './remote/remote-fetcher.js';

/** A URL is offered to the fetchers in this order. */
export const FETCHERS: readonly Fetcher[] = [youtube, bluesky, mastodon, instagram, twitter, rss];

export function fetchersFor({ remoteTypes }: Pick<Config, 'remoteTypes'>): Fetcher[] {
  const left = new Set(remoteTypes);
  const known = FETCHERS.filter(({ type, remote }) => !remote || left.has(type));
  const unknown = remoteTypes.filter((type) => !known.some((fetcher) => fetcher.type === type));
  return [
    ...known.map((fetcher) => (left.has(fetcher.type) ? remoteFetcher(fetcher) : fetcher)),
    ...unknown.map(unknownRemoteFetcher),
  ];
}
