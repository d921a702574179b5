import { createHash } from 'node:crypto';
import { type Content, type PlatformTools, type PublishCommand, PublishFailure } from '../../platform.js';
import { type Graph, makeUnseen } from '../graph/graph-api.js';
import { asciiAddress } from '../media-address.js';
import { wordsWithLink } from '../post-words.js';
import { kindAt } from './instagram-check.js';
import { isAlive, statusOf, untilFinished } from './instagram-containers.js';

/** Containers are what Instagram has of a post before it is shown: one for each part of a carousel, one for the post. */
export interface Progress {
  parts: { url: string; id: string }[];
  container?: Container | undefined;
}
interface Container {
  id: string;
  /** What it was made of: a content that was changed since needs another. */
  madeOf: string;
}
type Save = (progress: Progress) => Promise<void>;
type Command = PublishCommand<{ userId: string }, Progress>;

export function fingerprintOf(content: Content): string {
  const parts = JSON.stringify([wordsWithLink(content), content.mediaUrls]);
  return createHash('sha256').update(parts).digest('hex').slice(0, 32);
}

/** The container of the whole post. Instagram fetches the media by itself. */
export async function makeContainer(
  command: Command,
  graph: Graph,
  save: Save,
): Promise<Progress & { container: Container }> {
  const { content, credentials } = command;
  const path = `${credentials.userId}/media`;
  const caption = wordsWithLink(content);
  const [first, ...others] = content.mediaUrls;
  if (first === undefined) throw new PublishFailure('REFUSED', 'Instagram takes no post without a photo or video');
  const parts = others.length ? await makeParts(command, graph, save) : [];
  const body = others.length
    ? { media_type: 'CAROUSEL', children: parts.map(({ id }) => id).join(',') }
    : await sourceOf(first, 'REELS', graph.tools);
  const id = await makeUnseen(graph, { path, body: { ...body, ...(caption.trim() && { caption }) } });
  const progress = { parts, container: { id, madeOf: fingerprintOf(content) } };
  await save(progress);
  return progress;
}

async function makeParts({ content, credentials, progress }: Command, graph: Graph, save: Save) {
  const path = `${credentials.userId}/media`;
  const parts: Progress['parts'] = [];
  for (const [at, url] of content.mediaUrls.entries()) {
    const known = progress?.parts[at];
    if (known?.url === url && isAlive((await statusOf(graph, known.id)).status)) {
      parts.push(known);
      continue;
    }
    const body = { ...(await sourceOf(url, 'VIDEO', graph.tools)), is_carousel_item: true };
    parts.push({ url, id: await makeUnseen(graph, { path, body }) });
    await save({ parts });
  }
  for (const { id } of parts) await untilFinished(graph, id);
  return parts;
}

/** A video alone is a reel. */
async function sourceOf(url: string, videoType: 'REELS' | 'VIDEO', tools: PlatformTools) {
  const kind = kindAt(url) ?? kindOf((await tools.media(url)).type);
  const address = asciiAddress(url);
  return kind === 'photo' ? { image_url: address } : { media_type: videoType, video_url: address };
}

function kindOf(type: string): 'photo' | 'video' {
  if (/^image\/jpe?g\b/i.test(type)) return 'photo';
  if (/^video\/(mp4|quicktime|x-m4v)\b/i.test(type)) return 'video';
  throw new PublishFailure('REFUSED', `Instagram takes JPEG photos, MP4 and MOV videos, but no ${type.slice(0, 50)}`);
}
