import type { FeedFilter } from './feed-filter';

interface WhyEmpty {
  title: string;
  next: string;
  /** Whether there may be something elsewhere. */
  showAll: boolean;
}

/** Why a list has no posts, and what to do about it. */
export function whyEmpty({ show, q, source, folder }: FeedFilter): WhyEmpty {
  if (q !== undefined)
    return { title: `Nothing found for “${q}”`, next: 'Try fewer or other words, or look everywhere.', showAll: true };
  if (show === 'unread') return { title: 'All read', next: 'What is new appears here by itself.', showAll: true };
  if (show === 'starred')
    return { title: 'Nothing starred', next: 'Open a post and press s to keep it here.', showAll: true };
  const narrowed = source !== undefined || folder !== undefined;
  return { title: 'No posts yet', next: 'They appear here as soon as they are found.', showAll: narrowed };
}
