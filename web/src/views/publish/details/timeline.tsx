import { Badge } from '../../../design/badge';
import { RelativeTime } from '../../../design/relative-time';
import { type Publication, STATUS_WORDS } from '../publication';

/** All that happened to it, the latest first. */
export function Timeline({ history }: Pick<Publication, 'history'>) {
  return (
    <section aria-label="What happened">
      <h3>What happened</h3>
      <ol className="timeline">
        {history
          .map((change, nr) => ({ ...change, nr }))
          .toReversed()
          .map(({ nr, at, to, reason }) => (
            <li key={nr}>
              <Badge tone={STATUS_WORDS[to].tone}>{STATUS_WORDS[to].name}</Badge>
              <span className="break">{reason}</span>
              <span className="soft small">
                <RelativeTime at={at} />
              </span>
            </li>
          ))}
      </ol>
    </section>
  );
}
