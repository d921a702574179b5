import { isInFolder } from '../sources/folders';
import type { Post } from './post';

export const SHOWN = ['all', 'unread', 'starred'] as const;
export type Shown = (typeof SHOWN)[number];

/** The filter of the list, as it stands in the URL. */
export interface FeedFilter {
  show: Shown;
  source?: string;
  folder?: string;
  q?: string;
}

export function filterOf(search: string): FeedFilter {
  const params = new URLSearchParams(search);
  const given = (name: string) => params.get(name)?.trim() || undefined;
  const [source, folder, q] = [given('source'), given('folder'), given('q')];
  return {
    show: SHOWN.find((shown) => shown === params.get('show')) ?? 'all',
    ...(source && { source }),
    ...(folder && { folder }),
    ...(q && { q }),
  };
}

export function feedAddress({ show, ...rest }: FeedFilter, postId?: string): string {
  const params = new URLSearchParams({ ...(show !== 'all' && { show }), ...rest }).toString();
  return `/feed${postId ? `/${postId}` : ''}${params ? `?${params}` : ''}`;
}

export const feedQuery = ({ show, ...rest }: FeedFilter) => ({
  ...(show === 'unread' && { unread: 'true' as const }),
  ...(show === 'starred' && { starred: 'true' as const }),
  ...rest,
});

/** Folders by source id. */
export type Folders = ReadonlyMap<string, string | null>;

/** Whether a new post belongs in the list. Only the server can tell whether it matches a search. */
export function belongs(post: Post, { show, source, folder, q }: FeedFilter, folders: Folders): boolean {
  if (q !== undefined) return false;
  if (show === 'unread' && post.read) return false;
  if (show === 'starred' && !post.starred) return false;
  if (source !== undefined) return post.sourceId === source;
  return folder === undefined || isInFolder(folders.get(post.sourceId) ?? null, folder);
}
