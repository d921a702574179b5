import { z } from 'zod';
import type { FetchResult, RemotePost } from '../../contracts/fetch-result.js';
import { askAgain, type RemoteError } from '../../contracts/remote-error.js';
import type { FoundPost } from '../../posts/post.js';
import { type FetchCommand, type FetchedPage, type Fetcher, FetchFailure } from '../fetcher.js';
import { paragraphs } from '../fetchers/write-html.js';
import { webAddress } from '../parsing/addresses.js';

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

export const unknownRemoteFetcher = (type: string): Fetcher =>
  remoteFetcher({ type, name: type, externalId: z.string().trim().min(1, 'what the worker takes').max(500) });

interface RemoteRequest {
  type: string;
  command: Pick<FetchCommand, 'externalId' | 'now'>;
}

function toPage(result: FetchResult, { type, command }: RemoteRequest): FetchedPage {
  if (result.status === 'error') throw toFailure(result.error, { type, command });
  const { posts, nextCursor, hasMore } = result.data;
  return {
    posts: posts.map(toPost),
    nextCursor: hasMore ? nextCursor : undefined,
    source: { title: ownName(posts, command.externalId) },
  };
}

function toFailure(error: RemoteError, { type, command }: RemoteRequest): FetchFailure {
  const { code, message } = error;
  return new FetchFailure(code, message || `the worker for ${type} failed with ${code}`, askAgain(error, command.now));
}

/** Readers open these URLs, so only http and https are kept. */
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

/** Authors may include other accounts, whose posts this one has shared. */
function ownName(posts: RemotePost[], externalId: string): string | undefined {
  const own = posts.find(({ author }) => author.username.toLowerCase() === externalId.toLowerCase());
  return own?.author.displayName || undefined;
}
