import type { Source } from '../sources/source';
import { type FeedFilter, SHOWN, type Shown } from './feed-filter';
import { FeedStatus } from './feed-status';
import { ScopeChoice } from './scope-choice';
import { SearchBox } from './search-box';
import type { useFeed } from './use-feed';
import type { LiveFeed } from './use-live-feed';

interface Props {
  filter: FeedFilter;
  narrow: (to: FeedFilter) => void;
  sources: Source[];
  feed: ReturnType<typeof useFeed>;
  live: LiveFeed;
  onRefresh: () => void;
  askToReadAll: () => void;
}

const NAMES: Record<Shown, string> = { all: 'All', unread: 'Unread', starred: 'Starred' };

export function FeedHead({ filter, narrow, sources, feed, live, onRefresh, askToReadAll }: Props) {
  return (
    <header className="feed-head">
      <div className="feed-head-row">
        <h1>Feed</h1>
        <button type="button" className="quiet" onClick={onRefresh} title="Refresh (r)">
          Refresh
        </button>
        <button type="button" className="quiet" onClick={askToReadAll} title="Mark all as read (Shift+A)">
          Mark all as read
        </button>
      </div>
      <div className="feed-head-row">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend */}
        <div className="feed-shown" role="group" aria-label="Show">
          {SHOWN.map((show) => (
            <button
              key={show}
              type="button"
              aria-pressed={filter.show === show}
              onClick={() => narrow({ ...filter, show })}
            >
              {NAMES[show]}
            </button>
          ))}
        </div>
        <ScopeChoice filter={filter} narrow={narrow} sources={sources} />
      </div>
      <SearchBox q={filter.q} onSearch={({ q }) => narrow(withSearch(filter, q))} />
      <FeedStatus filter={filter} feed={feed} live={live} />
    </header>
  );
}

const withSearch = ({ q: _, ...rest }: FeedFilter, q: string): FeedFilter => ({ ...rest, ...(q && { q }) });
