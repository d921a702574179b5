import type { Post, PostPage } from './post';

/** The loaded part of the timeline, newest first. */
export interface FeedPages {
  pages: PostPage[];
  pageParams: unknown[];
}

export const postsOf = (feed: FeedPages | undefined): Post[] => feed?.pages.flatMap(({ items }) => items) ?? [];

/** The stream and the pages may deliver the same post, and adjacent pages may overlap. */
export function withoutRepeats(posts: Post[]): Post[] {
  const seen = new Set<string>();
  return posts.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** Inserts new posts by time. Posts older than everything loaded are left out; they come with a later page. */
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

/** The order of the timeline: newest first, then the greater id. */
function byTime(a: Post, b: Post): number {
  const apart = Date.parse(b.publishedAt) - Date.parse(a.publishedAt);
  return apart || Number(BigInt(b.id) - BigInt(a.id));
}
