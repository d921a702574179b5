import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { answer, api } from '../../api/client';
import { useAnnounce } from '../../design/announcer';
import { type FeedPages, withChanged } from './feed-pages';
import type { Post } from './post';
import { FEED_KEY, postKey } from './use-feed';

interface Mark {
  post: Post;
  as: { read: boolean } | { starred: boolean };
}

/** Optimistic: a failed change is rolled back. Changes are sent one after another, so that the last one wins. */
export function useMarks() {
  const client = useQueryClient();
  const announce = useAnnounce();
  const { mutate } = useMutation({
    scope: { id: 'marks' },
    mutationFn: ({ post, as }: Mark) => send(post.id, as),
    onMutate: ({ post, as }) => changePosts(client, ({ id }) => id === post.id, as),
    onError: (error, { post, as }) => {
      const { read, starred } = post;
      changePosts(client, ({ id }) => id === post.id, 'read' in as ? { read } : { starred });
      announce(`${failed(as)} ${error.message}`);
    },
  });
  return {
    setRead: (post: Post, read: boolean) => mutate({ post, as: { read } }),
    setStarred: (post: Post, starred: boolean) => mutate({ post, as: { starred } }),
  };
}

export function changePosts(client: QueryClient, which: (post: Post) => boolean, change: Partial<Post>): void {
  const changed = (post: Post) => (which(post) ? { ...post, ...change } : post);
  client.setQueriesData<FeedPages>({ queryKey: [FEED_KEY] }, (feed) => feed && withChanged(feed, changed));
  client.setQueriesData<Post>({ queryKey: postKey(undefined).slice(0, 1) }, (post) => post && changed(post));
}

function send(id: string, as: Mark['as']) {
  const params = { path: { id } };
  return 'read' in as
    ? answer(api.PUT('/api/v1/posts/{id}/read', { params, body: as }))
    : answer(api.PUT('/api/v1/posts/{id}/star', { params, body: as }));
}

function failed(as: Mark['as']): string {
  if ('read' in as) return as.read ? 'Could not mark it as read.' : 'Could not mark it as unread.';
  return as.starred ? 'Could not add the star.' : 'Could not remove the star.';
}
