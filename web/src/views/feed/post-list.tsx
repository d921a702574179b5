import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useEffect, useEffectEvent } from 'react';
import { ProblemNote } from '../../design/problem-note';
import { Waiting } from '../../design/waiting';
import { type FeedFilter, feedAddress } from './feed-filter';
import type { SourceIcons } from './post';
import { PostRow } from './post-row';
import type { useFeed } from './use-feed';

/** In pixels. Must equal the height of `.post-row`. */
const ROW_HEIGHT = 76;
const OVERSCAN = 6;
/** Load the next page when fewer rows than this are left. */
const ROWS_LEFT = 25;

interface Props {
  feed: ReturnType<typeof useFeed>;
  filter: FeedFilter;
  openId: string | undefined;
  scroller: RefObject<HTMLDivElement | null>;
  icons: SourceIcons;
  onTop: (atTop: boolean) => void;
  /** Shown if the list is empty. */
  children: ReactNode;
}

export function PostList({ feed, filter, openId, scroller, icons, onTop, children }: Props) {
  const { posts } = feed;
  const rows = useVirtualizer({
    count: posts.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => posts[index]?.id ?? index,
    overscan: OVERSCAN,
    scrollPaddingStart: ROW_HEIGHT,
    scrollPaddingEnd: 2 * ROW_HEIGHT,
  });
  const shown = rows.getVirtualItems();
  useNextPage(feed, shown.at(-1)?.index ?? 0);
  useShown({ openId, list: feedAddress(filter) }, (id) => {
    const index = id ? posts.findIndex((post) => post.id === id) : -1;
    if (index >= 0) rows.scrollToIndex(index, { align: 'auto' });
    else if (!id) scroller.current?.scrollTo({ top: 0 });
  });

  return (
    <div
      className={feed.isPlaceholderData ? 'post-list old' : 'post-list'}
      ref={scroller}
      onScroll={(event) => onTop(event.currentTarget.scrollTop < ROW_HEIGHT / 2)}
    >
      {!posts.length && <NoRows feed={feed}>{children}</NoRows>}
      <ul style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, key, start }) => (
          <li key={key} style={{ transform: `translateY(${start}px)` }} aria-posinset={index + 1} aria-setsize={-1}>
            <PostRow post={posts[index]} filter={filter} openId={openId} icons={icons} />
          </li>
        ))}
      </ul>
      {posts.length > 0 && <ListEnd feed={feed} />}
    </div>
  );
}

function NoRows({ feed: { isPending, error, refetch }, children }: Pick<Props, 'feed' | 'children'>) {
  if (isPending) return <Waiting for="posts" />;
  return error ? <ProblemNote error={error} onRetry={refetch} /> : children;
}

function useNextPage(
  { posts, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage }: Props['feed'],
  last: number,
) {
  const isNeeded = hasNextPage && !isFetching && !isFetchNextPageError && last >= posts.length - ROWS_LEFT;
  useEffect(() => {
    if (isNeeded) void fetchNextPage();
  }, [isNeeded, fetchNextPage]);
}

/** Scrolls only when another post is opened or the filter changes; new rows above do not move the list. */
function useShown(
  { openId, list }: { openId: string | undefined; list: string },
  act: (id: string | undefined) => void,
) {
  const show = useEffectEvent(act);
  useEffect(() => {
    if (openId) show(openId);
  }, [openId]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list starts at the top
  useEffect(() => show(undefined), [list]);
}

function ListEnd({ feed }: { feed: ReturnType<typeof useFeed> }) {
  const { hasNextPage, isFetchNextPageError, error, fetchNextPage } = feed;
  if (isFetchNextPageError)
    return (
      <div className="list-end" role="alert">
        <span>{error?.message}</span>
        <button type="button" onClick={() => void fetchNextPage()}>
          Try again
        </button>
      </div>
    );
  return <p className="list-end small soft">{hasNextPage ? 'Loading more …' : 'End of the list'}</p>;
}
