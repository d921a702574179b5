import { type ReactNode, useId, useState } from 'react';
import { Link } from 'wouter';
import { Badge } from '../../../design/badge';
import { RelativeTime } from '../../../design/relative-time';
import { useAccountName } from '../accounts/use-accounts';
import { headline, type Publication, STATUS_LABELS, whenText } from '../publication';

const PAGE_SIZE = 50;

interface Props {
  title: string;
  items: Publication[];
  empty?: string;
  /** Given by lists that load their own pages. */
  max?: number;
  children?: ReactNode;
}

export function QueueList({ title, items, empty, max: given, children }: Props) {
  const heading = useId();
  const nameOf = useAccountName();
  const [grown, setMax] = useState(PAGE_SIZE);
  const max = given ?? grown;
  return (
    <section className="queue-list" aria-labelledby={heading}>
      <h2 id={heading}>
        {title} <span className="soft">{items.length > 0 && items.length}</span>
      </h2>
      {items.length ? (
        <ul className="panel queue-rows">
          {items.slice(0, max).map((publication) => (
            <QueueRow key={publication.id} publication={publication} account={nameOf(publication.accountId)} />
          ))}
        </ul>
      ) : (
        <p className="soft">{empty}</p>
      )}
      {items.length > max && (
        <button type="button" onClick={() => setMax(max + PAGE_SIZE)}>
          Show {Math.min(PAGE_SIZE, items.length - max)} more
        </button>
      )}
      {children}
    </section>
  );
}

function QueueRow({ publication, account }: { publication: Publication; account: string }) {
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
