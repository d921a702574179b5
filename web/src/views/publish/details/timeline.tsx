import { Badge } from '../../../design/badge';
import { RelativeTime } from '../../../design/relative-time';
import { type Publication, STATUS_LABELS } from '../publication';

export function Timeline({ history }: Pick<Publication, 'history'>) {
  return (
    <section aria-label="History">
      <h3>History</h3>
      <ol className="timeline">
        {history
          .map((change, nr) => ({ ...change, nr }))
          .toReversed()
          .map(({ nr, at, to, reason }) => (
            <li key={nr}>
              <Badge tone={STATUS_LABELS[to].tone}>{STATUS_LABELS[to].name}</Badge>
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
