import { z } from 'zod';
import {
  type Content,
  type ContentProblem,
  definePlatform,
  type PlatformTools,
  type Published,
  PublishFailure,
} from '../../platform.js';
import { mediaAt } from '../media-address.js';
import { sameWords, wordsWithLink } from '../post-words.js';
import {
  type GoogleCredentials as Credentials,
  GoogleCredentials,
  isFresh,
  renewed,
  withAccess,
} from './google-token.js';
import { askYoutube, PLACE, publishedAs, type Youtube } from './youtube-api.js';
import { beginUpload, completeUpload, hashOf, progressOf, type Upload, uploadBody } from './youtube-upload.js';

/** Our clock and YouTube's may differ by this much (ms). */
const CLOCK_MARGIN_MS = 2 * 60_000;

/** A new video may appear among the channel's uploads this much later (ms). */
const LISTING_MS = 15 * 60_000;

const MAX_PAGES = 40;

const Channels = z.object({
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

const Page = z.object({ items: z.array(z.unknown()).nullish(), nextPageToken: z.string().nullish() });

const MAX_TITLE_LENGTH = 100;
const MAX_DESCRIPTION_LENGTH = 5_000;

/** The upload's address reports the resulting video at any time, so no attempt can create a second one. */
export const youtube = definePlatform<Credentials, Upload>({
  name: 'youtube',
  label: 'YouTube channel',
  credentials: GoogleCredentials,
  limit: { most: 100, windowMs: 3_600_000 },
  workers: 2,
  accepts: {
    text: { most: MAX_DESCRIPTION_LENGTH, unit: 'bytes' },
    title: { most: MAX_TITLE_LENGTH, isNeeded: true },
    media: { least: 1, most: 1, kinds: ['video'] },
  },
  check,

  async whose(credentials, tools) {
    const path = 'youtube/v3/channels?part=snippet&mine=true';
    const { items } = await askYoutube(path, Channels, await opened(credentials, tools));
    const [channel] = items ?? [];
    if (!channel) throw new PublishFailure('AUTH_ERROR', 'this Google account has no YouTube channel');
    return { id: channel.id, name: channel.snippet?.title ?? channel.id };
  },

  async refresh(credentials, reason, tools) {
    if (reason === 'before use' && isFresh(credentials, tools.now())) return undefined;
    return renewed(credentials, tools);
  },

  async prepare({ content, credentials, progress }, tools, save) {
    const file = await videoOf(content, tools);
    const youtube = await opened(credentials, tools);
    const known = progress?.of === hashOf(content, file) ? progress : undefined;
    const standing = known && (await progressOf(known, youtube));
    if (known && standing) {
      if ('received' in standing) await uploadBody(known, standing.received, { file, youtube });
      return known;
    }
    const upload = await beginUpload(content, file, youtube);
    await save(upload);
    await uploadBody(upload, 0, { file, youtube });
    return upload;
  },

  async publish({ content, credentials, progress }, tools) {
    if (!progress) throw new PublishFailure('UNAVAILABLE', 'no upload has begun');
    const youtube = await opened(credentials, tools);
    const standing = await progressOf(progress, youtube);
    if (!standing) throw new PublishFailure('UNAVAILABLE', `${PLACE} does not know the upload any more`);
    if ('video' in standing) return publishedAs(standing.video);
    const file = await videoOf(content, tools);
    if (hashOf(content, file) !== progress.of) {
      throw new PublishFailure('UNAVAILABLE', 'the video has changed while it was uploaded');
    }
    return publishedAs(await completeUpload(progress, standing.received, { file, youtube }));
  },

  async find({ content, credentials, progress, intendedAt, others }, tools) {
    if (!progress || !intendedAt) return undefined;
    const youtube = await opened(credentials, tools);
    const standing = await progressOf(progress, youtube);
    if (!standing) return findUploaded({ content, others }, intendedAt, youtube);
    return 'video' in standing ? publishedAs(standing.video) : undefined;
  },
});

const opened = async (credentials: Credentials, tools: PlatformTools): Promise<Youtube> => ({
  credentials: await withAccess(credentials, tools),
  tools,
});

async function videoOf({ mediaUrls: [url] }: Content, tools: PlatformTools) {
  if (url === undefined) throw new PublishFailure('REFUSED', `${PLACE} takes videos: there is none`);
  const file = await tools.media(url);
  const isVideo = file.type.startsWith('video/') || file.type === 'application/octet-stream';
  if (!isVideo) throw new PublishFailure('REFUSED', `${PLACE} takes videos; ${file.name} is ${file.type}`);
  if (!file.bytes.length) throw new PublishFailure('REFUSED', `${file.name} is empty`);
  return file;
}

function check(content: Content): ContentProblem[] {
  const { mediaUrls } = content;
  const title = content.title?.trim() ?? '';
  const description = wordsWithLink(content);
  return [
    ...(title ? [] : [{ path: 'title', message: `${PLACE} takes no video without a title` }]),
    ...tooLong('title', title.length - MAX_TITLE_LENGTH, `${title.length} characters`),
    ...tooLong(
      'text',
      Buffer.byteLength(description) - MAX_DESCRIPTION_LENGTH,
      `${Buffer.byteLength(description)} bytes`,
    ),
    ...angular('title', title),
    ...angular('text', description),
    ...(mediaUrls.length === 1
      ? mediaUrls.flatMap(noVideo)
      : [{ path: 'mediaUrls', message: `${PLACE} takes one video, and here are ${mediaUrls.length}` }]),
  ];
}

const tooLong = (path: string, excess: number, size: string): ContentProblem[] =>
  excess > 0 ? [{ path, message: `${path} is ${size}, ${excess} more than ${PLACE} takes` }] : [];

const angular = (path: string, text: string): ContentProblem[] =>
  /[<>]/.test(text) ? [{ path, message: `${PLACE} takes neither < nor > in a ${path}` }] : [];

function noVideo(url: string, at: number): ContentProblem[] {
  const { kind, ending } = mediaAt(url);
  if (kind === undefined || kind === 'video') return [];
  return [{ path: `mediaUrls.${at}`, message: `${PLACE} takes videos; this is .${ending}` }];
}

type Item = z.infer<typeof Item>;

/** YouTube no longer knows the upload. The absence of the video is conclusive only after a while. */
async function findUploaded(
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

async function* uploadsSince(since: number, youtube: Youtube): AsyncGenerator<Item> {
  const { items } = await askYoutube('youtube/v3/channels?part=contentDetails&mine=true', Channels, youtube);
  const playlist = items?.[0]?.contentDetails?.relatedPlaylists.uploads;
  if (!playlist) throw new PublishFailure('UNAVAILABLE', `${PLACE} does not say what the channel has uploaded`);
  const path = `youtube/v3/playlistItems?part=snippet,contentDetails,status&maxResults=50&playlistId=${encodeURIComponent(playlist)}`;
  let token = '';
  let isReadable = true;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { items: listed, nextPageToken } = await askYoutube(`${path}${token}`, Page, youtube);
    const read = (listed ?? []).flatMap((item) => Item.safeParse(item).data ?? []);
    const young = read.filter(({ snippet }) => snippet.publishedAt >= since);
    yield* young;
    isReadable &&= read.length === (listed ?? []).length;
    const isOver = !nextPageToken || (read.length > 0 && !young.length);
    // A video that cannot be read may be this one, so a repeat could publish it twice.
    if (isOver && !isReadable) throw new PublishFailure('UNAVAILABLE', `${PLACE} lists videos that cannot be read`);
    if (isOver) return;
    token = `&pageToken=${encodeURIComponent(nextPageToken)}`;
  }
  throw new PublishFailure('UNAVAILABLE', `${PLACE} lists more videos since then than can be looked through`);
}
