import type { FetchCommand } from '../../src/contracts/fetch-command.js';
import type { NewFetchResult } from '../../src/contracts/fetch-result.js';
import type { ProfilePage } from './instagram-site.js';
import { WorkerFault } from './worker-fault.js';

export type FoundPosts = Extract<NewFetchResult, { status: 'success' }>['data'];

const PAGE_SIZE = 12;

/** Fetches one page of a profile's posts. It does not retry; Millrace does. */
export async function askInstagram(site: string, command: FetchCommand, signal: AbortSignal): Promise<FoundPosts> {
  const { externalId, params } = command;
  const url = new URL(`/users/${encodeURIComponent(externalId)}/posts`, site);
  url.searchParams.set('count', String(params.limit ?? PAGE_SIZE));
  if (params.cursor !== undefined) url.searchParams.set('before', params.cursor);

  const response = await fetch(url, { signal });
  if (response.status !== 200) throw refusal(response, externalId);
  // A worker for a real site would validate every field here.
  const { user, posts, next } = (await response.json()) as ProfilePage;
  return { posts: posts.map((post) => toPost(post, user)), hasMore: next !== null, nextCursor: next };
}

function toPost(post: ProfilePage['posts'][number], user: ProfilePage['user']): FoundPosts['posts'][number] {
  const { id, caption, takenAt, url, imageUrl, likes, comments } = post;
  return {
    externalId: id,
    content: caption,
    contentFormat: 'text',
    url,
    mediaUrls: [imageUrl],
    publishedAt: takenAt,
    author: { username: user.username, displayName: user.fullName, avatarUrl: user.avatarUrl },
    metrics: { likes, comments },
  };
}

function refusal({ status, headers }: Response, username: string): WorkerFault {
  if (status === 404) return new WorkerFault('NOT_FOUND', `there is no profile ${username}`);
  if (status === 403) return new WorkerFault('PRIVATE_PROFILE', `the profile ${username} is private`);
  if (status !== 429) return new WorkerFault('NETWORK_ERROR', `Instagram answered with status ${status}`);
  const seconds = Number(headers.get('Retry-After'));
  return new WorkerFault('RATE_LIMITED', 'Instagram asks for fewer requests', { retryAfterSeconds: seconds || 60 });
}
