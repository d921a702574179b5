import { z } from 'zod';
import type { FetchResult, RemotePost } from '../../contracts/fetch-result.js';
import { askAgain, type RemoteError } from '../../contracts/remote-error.js';
import type { FoundPost } from '../../posts/post.js';
import { type FetchCommand, type FetchedPage, type Fetcher, FetchFailure } from '../fetcher.js';
import { paragraphs } from '../fetchers/write-html.js';
import { webAddress } from '../parsing/addresses.js';

/** A type that workers fetch; all that is known of it here is how its sources are spelled. */
export function remoteFetcher(description: Omit<Fetcher, 'fetch' | 'remote'>): Fetcher {
  return {
    ...description,
    remote: true,
    async fetch(command, { askWorker }) {
      const result = await askWorker(description.type, command);
      return toPage(result, { type: description.type, command });
    },
  };
}

/** A type that only its workers know. */
export const unknownRemoteFetcher = (type: string): Fetcher =>
  remoteFetcher({ type, name: type, externalId: z.string().trim().min(1, 'what the worker takes').max(500) });

interface Asked {
  type: string;
  command: Pick<FetchCommand, 'externalId' | 'now'>;
}

/** What a worker answered as a fetcher would have returned or thrown it. */
function toPage(result: FetchResult, { type, command }: Asked): FetchedPage {
  if (result.status === 'error') throw toFailure(result.error, { type, command });
  const { posts, nextCursor, hasMore } = result.data;
  return {
    posts: posts.map(toPost),
    nextCursor: hasMore ? nextCursor : undefined,
    source: { title: ownName(posts, command.externalId) },
  };
}

function toFailure(error: RemoteError, { type, command }: Asked): FetchFailure {
  const { code, message } = error;
  return new FetchFailure(code, message || `the worker for ${type} failed with ${code}`, askAgain(error, command.now));
}

/** Readers follow its addresses: only those of the web are kept. */
function toPost({ contentFormat, content, mediaUrls, publishedAt, url, author, ...post }: RemotePost): FoundPost {
  return {
    ...post,
    url: webAddress(url),
    content: contentFormat === 'text' ? paragraphs(content) : content,
    author: { ...author, avatarUrl: webAddress(author.avatarUrl) },
    media: mediaUrls.flatMap((address) => webAddress(address) ?? []).map((address) => ({ url: address })),
    publishedAt: new Date(publishedAt),
  };
}

/** Among the authors may be others, whose posts the account has shared. */
function ownName(posts: RemotePost[], externalId: string): string | undefined {
  const own = posts.find(({ author }) => author.username.toLowerCase() === externalId.toLowerCase());
  return own?.author.displayName || undefined;
}
