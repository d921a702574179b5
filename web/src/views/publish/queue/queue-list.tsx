import { type ReactNode, useId, useState } from 'react';
import { useAccountName } from '../accounts/use-accounts';
import type { Publication } from '../publication';
import { QueueRow } from './queue-row';

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
