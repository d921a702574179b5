import { Link } from 'wouter';
import { RelativeTime } from '../../design/relative-time';
import { SourceIcon } from '../../design/source-icon';
import { excerpt } from './excerpt';
import { type FeedFilter, feedAddress } from './feed-filter';
import type { Post, SourceIcons } from './post';

interface Props {
  /** Undefined for a moment after the list has become shorter. */
  post: Post | undefined;
  filter: FeedFilter;
  openId: string | undefined;
  icons: SourceIcons;
}

export const rowId = (postId: string) => `post-${postId}`;

export function PostRow({ post, filter, openId, icons }: Props) {
  if (!post) return null;
  const words = excerpt(post.content);
  const sourceName = post.source.title || post.author.displayName || `Source ${post.sourceId}`;
  return (
    <Link
      id={rowId(post.id)}
      href={feedAddress(filter, post.id)}
      replace={openId !== undefined}
      className={post.read ? 'post-row' : 'post-row unread'}
      aria-current={post.id === openId ? 'true' : undefined}
    >
      <span className="post-row-source">
        {!post.read && <span className="dot" aria-hidden="true" />}
        <SourceIcon url={icons.get(post.sourceId)} name={sourceName} />
        <span className="cut">{sourceName}</span>
        <span className="post-row-time">
          {post.starred && <span aria-hidden="true">★ </span>}
          <RelativeTime at={post.publishedAt} />
        </span>
      </span>
      <span className="post-row-title cut">{post.title ?? (words || 'Untitled')}</span>
      <span className="post-row-words cut">{post.title ? words : ''}</span>
      <span className="hidden">
        {post.read ? '' : ', unread'}
        {post.starred ? ', starred' : ''}
      </span>
    </Link>
  );
}
