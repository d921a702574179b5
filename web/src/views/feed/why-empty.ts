import type { FeedFilter } from './feed-filter';

interface WhyEmpty {
  title: string;
  next: string;
  /** Whether removing the filter may show posts. */
  showAll: boolean;
}

export function whyEmpty({ show, q, source, folder }: FeedFilter): WhyEmpty {
  if (q !== undefined)
    return {
      title: `No posts match “${q}”`,
      next: 'Try fewer or different words, or search all sources.',
      showAll: true,
    };
  if (show === 'unread') return { title: 'All caught up', next: 'New posts appear here.', showAll: true };
  if (show === 'starred')
    return { title: 'No starred posts', next: 'Open a post and press s to star it.', showAll: true };
  const narrowed = source !== undefined || folder !== undefined;
  return { title: 'No posts yet', next: 'New posts appear here.', showAll: narrowed };
}
