import { RelativeTime, useNow } from '../../design/relative-time';
import { FRESHNESS_WORDS, freshness } from './freshness';
import { intervalInWords } from './interval-in-words';
import type { Source } from './source';

/** How far it is to the next fetch, as a bar and in words. */
export function FreshnessMeter({ source }: { source: Source }) {
  const { level, share } = freshness(source, useNow());
  const { lastSuccessAt, nextFetchAt, intervalSeconds } = source;
  return (
    <div className="freshness small">
      <span className="cut">
        {FRESHNESS_WORDS[level]}
        <span className="soft">
          {lastSuccessAt && level !== 'still' && (
            <>
              , <RelativeTime at={lastSuccessAt} />
            </>
          )}
        </span>
      </span>
      <span className={`freshness-bar ${level}`} aria-hidden="true">
        <span style={{ width: `${100 * share}%` }} />
      </span>
      <span className="soft cut">
        {intervalInWords(intervalSeconds)}
        {nextFetchAt && (
          <>
            , next <RelativeTime at={nextFetchAt} />
          </>
        )}
      </span>
    </div>
  );
}
