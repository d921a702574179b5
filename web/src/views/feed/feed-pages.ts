import type { Post, PostPage } from './post';

/** The part of the timeline that was loaded: page after page, newest first. */
export interface FeedPages {
  pages: PostPage[];
  pageParams: unknown[];
}

export const postsOf = (feed: FeedPages | undefined): Post[] => feed?.pages.flatMap(({ items }) => items) ?? [];

/** A post may come both with a page and as news, and a page may begin with what the one before ended with. */
export function withoutRepeats(posts: Post[]): Post[] {
  const seen = new Set<string>();
  return posts.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/**
 * With new posts where they belong in time. One that is older than all that was loaded comes with a later page; known ones
 * stay as they are.
 */
export function withNews(feed: FeedPages, news: Post[]): FeedPages {
  const known = new Set(postsOf(feed).map(({ id }) => id));
  const last = feed.pages.length - 1;
  const more = feed.pages[last]?.nextCursor != null;
  let rest = withoutRepeats(news).filter(({ id }) => !known.has(id));
  if (!rest.length) return feed;
  const pages = feed.pages.map((page, index) => {
    const end = page.items.at(-1);
    const fits = (post: Post) => (index === last && !more) || (end !== undefined && byTime(post, end) < 0);
    const here = rest.filter(fits);
    rest = rest.filter((post) => !here.includes(post));
    return here.length ? { ...page, items: [...page.items, ...here].sort(byTime) } : page;
  });
  return { ...feed, pages };
}

export function withChanged(feed: FeedPages, change: (post: Post) => Post): FeedPages {
  return { ...feed, pages: feed.pages.map((page) => ({ ...page, items: page.items.map(change) })) };
}

/** As the timeline is ordered: newest first, of equal times the greater id. */
function byTime(a: Post, b: Post): number {
  const apart = Date.parse(b.publishedAt) - Date.parse(a.publishedAt);
  return apart || Number(BigInt(b.id) - BigInt(a.id));
}
