import type { MediaNs } from 'feedsmith';
import type { Media, Metrics } from '../../posts/post.js';
import { webAddress } from './addresses.js';

interface Named {
  url?: string | undefined;
  type?: string | undefined;
}

/** What can be shown or played, each once, in the order given. */
export function mediaOf(candidates: Named[], base: string): Media[] {
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

/** The files and pictures of Media RSS, which may lie in groups. */
export function mediaRss(media: MediaNs.ItemOrFeed | undefined): Named[] {
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

/** Where there are ratings their number is what stands for likes: YouTube puts its likes there. */
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
