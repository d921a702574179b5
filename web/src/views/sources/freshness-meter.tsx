import { RelativeTime, useNow } from '../../design/relative-time';
import { FRESHNESS_LABELS, freshness } from './freshness';
import { intervalText } from './interval-text';
import type { Source } from './source';

export function FreshnessMeter({ source }: { source: Source }) {
  const { level, share } = freshness(source, useNow());
  const { lastSuccessAt, nextFetchAt, intervalSeconds } = source;
  return (
    <div className="freshness small">
      <span className="cut">
        {FRESHNESS_LABELS[level]}
        <span className="soft">
          {lastSuccessAt && level !== 'inactive' && (
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
        {intervalText(intervalSeconds)}
        {nextFetchAt && (
          <>
            , next <RelativeTime at={nextFetchAt} />
          </>
        )}
      </span>
    </div>
  );
}
