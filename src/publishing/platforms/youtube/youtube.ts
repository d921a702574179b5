import {
  type Content,
  type ContentProblem,
  definePlatform,
  type PlatformTools,
  PublishFailure,
} from '../../platform.js';
import { mediaAt } from '../media-address.js';
import { wordsWithLink } from '../post-words.js';
import {
  type GoogleCredentials as Credentials,
  GoogleCredentials,
  isFresh,
  renewed,
  withAccess,
} from './google-token.js';
import { askYoutube, PLACE, publishedAs, type Youtube } from './youtube-api.js';
import { Channels, findUploaded } from './youtube-look-back.js';
import { beginUpload, completeUpload, hashOf, standingOf, type Upload, uploadBody } from './youtube-upload.js';

const LONGEST_TITLE = 100;
const LONGEST_DESCRIPTION = 5_000;

/**
 * Videos of a channel. An upload is begun (metadata → an address that takes the bytes) and filled up to its last piece
 * before anything is decided; that piece makes the video. The address tells at any time how far it has come, and which
 * video it has become: no try can make a second one, and a lost answer can be asked for again.
 */
export const youtube = definePlatform<Credentials, Upload>({
  name: 'youtube',
  label: 'YouTube channel',
  credentials: GoogleCredentials,
  limit: { most: 100, windowMs: 3_600_000 },
  workers: 2,
  accepts: {
    text: { most: LONGEST_DESCRIPTION, unit: 'bytes' },
    title: { most: LONGEST_TITLE, isNeeded: true },
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
    const standing = known && (await standingOf(known, youtube));
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
    const standing = await standingOf(progress, youtube);
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
    const standing = await standingOf(progress, youtube);
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
    ...tooLong('title', title.length - LONGEST_TITLE, `${title.length} characters`),
    ...tooLong('text', Buffer.byteLength(description) - LONGEST_DESCRIPTION, `${Buffer.byteLength(description)} bytes`),
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
