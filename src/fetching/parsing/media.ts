import type { MediaNs } from 'feedsmith';
import type { Media, Metrics } from '../../posts/post.js';
import { webAddress } from './addresses.js';

interface MediaCandidate {
  url?: string | undefined;
  type?: string | undefined;
}

export function mediaOf(candidates: MediaCandidate[], base: string): Media[] {
  const byUrl = new Map<string, Media>();
  for (const { url: address, type } of candidates) {
    const url = webAddress(address, base);
    if (!url) continue;
    const known = byUrl.get(url);
    if (!known) byUrl.set(url, { url, ...(type && { type }) });
    else if (type && !known.type) known.type = type;
  }
  return [...byUrl.values()];
}

export function mediaRss(media: MediaNs.ItemOrFeed | undefined): MediaCandidate[] {
  if (!media) return [];
  const groups = media.groups ?? [];
  const contents = [media, ...groups].flatMap((part) => part.contents ?? []);
  const thumbnails = [media, ...groups, ...contents].flatMap((part) => part.thumbnails ?? []);
  return [...contents, ...thumbnails.map(({ url }) => ({ url }))];
}

interface Counts {
  comments?: number | undefined;
  media?: MediaNs.ItemOrFeed | undefined;
}

/** Uses the number of ratings as likes, because YouTube puts its likes there. */
export function metricsOf({ comments, media }: Counts): Metrics | undefined {
  const parts = [media, ...(media?.groups ?? [])];
  const community = parts.map((part) => part?.community).find((found) => found !== undefined);
  const likes = community?.starRating?.count ?? community?.statistics?.favorites;
  const counts = { ...(isCount(likes) && { likes }), ...(isCount(comments) && { comments }) };
  return Object.keys(counts).length > 0 ? counts : undefined;
}

function isCount(number: number | undefined): boolean {
  return Number.isSafeInteger(number) && Number(number) >= 0;
}
