import { type ReactNode, useId, useState } from 'react';
import { useAccountName } from '../accounts/use-accounts';
import type { Publication } from '../publication';
import { QueueRow } from './queue-row';

const PAGE_SIZE = 50;

interface Props {
  title: string;
  items: Publication[];
  empty?: string;
  /** As many as there are, where the list is read page by page. */
  most?: number;
  children?: ReactNode;
}

export function QueueList({ title, items, empty, most: given, children }: Props) {
  const heading = useId();
  const nameOf = useAccountName();
  const [grown, setMost] = useState(PAGE_SIZE);
  const most = given ?? grown;
  return (
    <section className="queue-list" aria-labelledby={heading}>
      <h2 id={heading}>
        {title} <span className="soft">{items.length > 0 && items.length}</span>
      </h2>
      {items.length ? (
        <ul className="panel queue-rows">
          {items.slice(0, most).map((publication) => (
            <QueueRow key={publication.id} publication={publication} account={nameOf(publication.accountId)} />
          ))}
        </ul>
      ) : (
        <p className="soft">{empty}</p>
      )}
      {items.length > most && (
        <button type="button" onClick={() => setMost(most + PAGE_SIZE)}>
          Show {Math.min(PAGE_SIZE, items.length - most)} more
        </button>
      )}
      {children}
    </section>
  );
}
