import { useMemo, useRef, useState } from 'react';
import { useLocation, useRoute, useSearch } from 'wouter';
import { useSources } from '../sources/use-sources';
import { ArticlePane } from './article-pane';
import { type FeedFilter, feedAddress, filterOf } from './feed-filter';
import { FeedHead } from './feed-head';
import { newPostsText } from './feed-texts';
import { NoPosts } from './no-posts';
import { PostList } from './post-list';
import { askToReadAll, ReadAllDialog } from './read-all-dialog';
import { useFeed } from './use-feed';
import { type LiveFeed, useLiveFeed } from './use-live-feed';
import { useReading } from './use-reading';
import './feed.css';

export function FeedView() {
  const [, navigate] = useLocation();
  const [, params] = useRoute('/feed/:id?');
  const search = useSearch();
  const filter = useMemo(() => filterOf(search), [search]);
  const openId = params?.id;
  const feed = useFeed(filter);
  const { sources, isSuccess: sourcesKnown } = useSources();
  const folders = useMemo(() => new Map(sources.map(({ id, folder }) => [id, folder])), [sources]);

  const icons = useMemo(() => new Map(sources.map(({ id, iconUrl }) => [id, iconUrl])), [sources]);

  const [atTop, setAtTop] = useState(true);
  const scroller = useRef<HTMLDivElement>(null);
  const readAll = useRef<HTMLDialogElement>(null);
  const loaded = feed.isPlaceholderData ? undefined : feed.data;
  const live = useLiveFeed({ filter, folders, feed: loaded, calm: atTop && openId === undefined });
  const narrow = (to: FeedFilter) => navigate(feedAddress(to, openId), { replace: true });
  const ask = () => askToReadAll(readAll.current);
  const reading = useReading({ feed, filter, openId, askToReadAll: ask });

  return (
    <div className={openId ? 'feed reading' : 'feed'}>
      <section className="feed-list" aria-label="Posts">
        <FeedHead {...{ filter, narrow, sources, feed, live }} askToReadAll={ask} onRefresh={reading.refresh} />
        <div className="feed-body">
          <NewsBar live={live} onShown={() => scroller.current?.scrollTo({ top: 0 })} />
          <PostList {...{ feed, filter, openId, scroller, icons }} onTop={setAtTop}>
            <NoPosts filter={filter} narrow={narrow} followsNothing={sourcesKnown && !sources.length} />
          </PostList>
        </div>
      </section>
      <ArticlePane {...{ reading, openId, filter, icons }} />
      <ReadAllDialog ref={readAll} {...{ filter, sources, folders }} />
    </div>
  );
}

/** Overlays the list, so that the rows do not move. */
function NewsBar({ live: { waiting, missed, show }, onShown }: { live: LiveFeed; onShown: () => void }) {
  if (!waiting && !missed) return null;
  const act = () => {
    show();
    onShown();
  };
  return (
    <button type="button" className="news-bar" onClick={act}>
      {missed ? 'Show new posts' : newPostsText(waiting)} <span aria-hidden="true">↑</span>
    </button>
  );
}
