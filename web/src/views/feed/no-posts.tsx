import { Link } from 'wouter';
import { EmptyState } from '../../design/empty-state';
import type { FeedFilter } from './feed-filter';
import { whyEmpty } from './why-empty';

interface Props {
  filter: FeedFilter;
  narrow: (to: FeedFilter) => void;
  followsNothing: boolean;
}

export function NoPosts({ filter, narrow, followsNothing }: Props) {
  const { title, next, showAll } = whyEmpty(filter);
  if (followsNothing && filter.show !== 'starred')
    return (
      <EmptyState title="No posts yet">
        <p>Follow a site, feed or profile, and its new posts appear here.</p>
        <Link href="/sources" className="button">
          Follow a source
        </Link>
      </EmptyState>
    );
  return (
    <EmptyState title={title}>
      <p>{next}</p>
      {showAll && (
        <button type="button" onClick={() => narrow({ show: 'all' })}>
          Show all posts
        </button>
      )}
    </EmptyState>
  );
}
