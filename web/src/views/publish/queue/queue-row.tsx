import { Link } from 'wouter';
import { Badge } from '../../../design/badge';
import { RelativeTime } from '../../../design/relative-time';
import { headline, type Publication, STATUS_LABELS, whenText } from '../publication';

export function QueueRow({ publication, account }: { publication: Publication; account: string }) {
  const { id, status, platform, priority, lastError } = publication;
  const { name, tone } = STATUS_LABELS[status];
  const waits = publication.waitingFor;
  const when = whenText(publication);
  return (
    <li className="queue-row">
      <Badge tone={tone}>{name}</Badge>
      <Link href={`/publish/${id}`} className="queue-text">
        {headline(publication)}
      </Link>
      <span className="queue-account soft small">
        {platform} · {account}
        {priority !== 'normal' && ` · ${priority} priority`}
      </span>
      <span className="queue-time small">
        {when && (
          <>
            {when.words} <RelativeTime at={when.at} />
          </>
        )}
      </span>
      {waits && waits !== 'its time' && <span className="queue-why soft small">Waiting for {waits}</span>}
      {lastError && status !== 'published' && <span className="queue-error mistake">{lastError}</span>}
    </li>
  );
}
