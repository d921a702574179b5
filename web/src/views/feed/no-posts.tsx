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
      <EmptyState title="Nothing to read yet">
        <p>Paste the address of any site, feed or profile, and its posts arrive here by themselves.</p>
        <Link href="/sources" className="button">
          Follow something
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
