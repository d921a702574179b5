import { z } from 'zod';
import { type Content, type Published, PublishFailure } from '../../platform.js';
import { sameWords, wordsWithLink } from '../post-words.js';
import { askYoutube, PLACE, publishedAs, type Youtube } from './youtube-api.js';

/** By which our clock and YouTube's may differ. */
const CLOCK_MARGIN_MS = 2 * 60_000;
/** A new video may take as long to show among the channel's uploads. */
const LISTING_MS = 15 * 60_000;
const MOST_PAGES = 40;

export const Channels = z.object({
  items: z
    .array(
      z.object({
        id: z.string(),
        snippet: z.object({ title: z.string() }).nullish().catch(undefined),
        contentDetails: z
          .object({ relatedPlaylists: z.object({ uploads: z.string() }) })
          .nullish()
          .catch(undefined),
      }),
    )
    .nullish(),
});

const Moment = z.string().transform((text) => Date.parse(text));
const Item = z.object({
  snippet: z.object({ title: z.string(), description: z.string().nullish(), publishedAt: Moment }),
  contentDetails: z.object({ videoId: z.string() }),
  status: z.object({ privacyStatus: z.string().nullish() }).nullish().catch(undefined),
});
type Item = z.infer<typeof Item>;
const Page = z.object({ items: z.array(z.unknown()).nullish(), nextPageToken: z.string().nullish() });

/**
 * For uploads that YouTube does not know any more: a video with this title and description among those that the channel
 * has uploaded since. That there is none proves something only after a while.
 */
export async function findUploaded(
  { content, others }: { content: Content; others?: ReadonlySet<string> | undefined },
  intendedAt: Date,
  youtube: Youtube,
): Promise<Published | undefined> {
  for await (const item of uploadsSince(intendedAt.getTime() - CLOCK_MARGIN_MS, youtube)) {
    const { videoId } = item.contentDetails;
    if (isAlike(item, content) && !others?.has(videoId)) return publishedAs({ id: videoId, status: item.status });
  }
  const listedAt = new Date(intendedAt.getTime() + LISTING_MS);
  if (listedAt <= youtube.tools.now()) return undefined;
  const message = `${PLACE} does not know the upload any more, and may not list the video yet`;
  throw new PublishFailure('UNAVAILABLE', message, { until: listedAt });
}

function isAlike({ snippet }: Item, content: Content): boolean {
  const isTitled = sameWords(snippet.title, content.title ?? '');
  return isTitled && sameWords(snippet.description ?? '', wordsWithLink(content));
}

/** Newest first. */
async function* uploadsSince(since: number, youtube: Youtube): AsyncGenerator<Item> {
  const { items } = await askYoutube('youtube/v3/channels?part=contentDetails&mine=true', Channels, youtube);
  const playlist = items?.[0]?.contentDetails?.relatedPlaylists.uploads;
  if (!playlist) throw new PublishFailure('UNAVAILABLE', `${PLACE} does not say what the channel has uploaded`);
  const path = `youtube/v3/playlistItems?part=snippet,contentDetails,status&maxResults=50&playlistId=${encodeURIComponent(playlist)}`;
  let token = '';
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { items: listed, nextPageToken } = await askYoutube(`${path}${token}`, Page, youtube);
    const read = (listed ?? []).flatMap((item) => Item.safeParse(item).data ?? []);
    const young = read.filter(({ snippet }) => snippet.publishedAt >= since);
    yield* young;
    if (!nextPageToken || (read.length > 0 && !young.length)) return;
    token = `&pageToken=${encodeURIComponent(nextPageToken)}`;
  }
  throw new PublishFailure('UNAVAILABLE', `${PLACE} lists more videos since then than can be looked through`);
}
