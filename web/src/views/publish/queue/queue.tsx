import { useState } from 'react';
import { Link } from 'wouter';
import { EmptyState } from '../../../design/empty-state';
import { ProblemNote } from '../../../design/problem-note';
import { Waiting } from '../../../design/waiting';
import { useAccounts } from '../accounts/use-accounts';
import { Capacity } from '../capacity/capacity';
import { NoAccounts } from '../no-accounts';
import type { Status } from '../publication';
import { History } from './history';
import { QueueFilters } from './queue-filters';
import { QueueList } from './queue-list';
import { queueSections } from './queue-sections';
import { useQueue } from './use-queue';

export type Shown = 'queue' | 'all' | Status;

/** What waits, what needs somebody, what is out; or one status with all its past. */
export function Queue() {
  const [shown, setShown] = useState<Shown>('queue');
  const [account, setAccount] = useState<string>();
  const accounts = useAccounts();
  if (accounts.data?.length === 0) return <NoAccounts />;
  return (
    <>
      <Capacity />
      <QueueFilters {...{ shown, setShown, account, setAccount }} />
      {shown === 'queue' ? <Sections account={account} /> : <History {...{ shown, account }} />}
    </>
  );
}

function Sections({ account }: { account: string | undefined }) {
  const { data, error, refetch } = useQueue(account);
  if (error && !data) return <ProblemNote error={error} onRetry={refetch} />;
  if (!data) return <Waiting for="the queue" />;
  const { made, attention, waiting, out } = queueSections(data.items, justMade());
  if (![made, attention, waiting, out].some((section) => section.length)) return <NothingWaits />;
  return (
    <>
      {error && <ProblemNote error={error} onRetry={refetch} />}
      {made.length > 0 && <QueueList title="Just handed in" items={made} />}
      {attention.length > 0 && <QueueList title="Needs you" items={attention} />}
      <QueueList title="Waiting" items={waiting} empty="Nothing waits: all that was to go out is out.">
        {!data.complete && (
          <p className="hint">More than 500 wait. Shown are those that are due first; the calendar has the others.</p>
        )}
      </QueueList>
      {out.length > 0 && <QueueList title="Out in the last 24 hours" items={out} />}
    </>
  );
}

/** Told by the form, which came here; gone with the next visit. */
function justMade(): string[] {
  const state: unknown = history.state;
  const made = typeof state === 'object' && state !== null && 'made' in state ? state.made : undefined;
  return Array.isArray(made) ? made.map(String) : [];
}

function NothingWaits() {
  return (
    <EmptyState title="Nothing waits to be published">
      <p>Write a post, choose where it goes and when, and watch here how it gets on.</p>
      <Link href="/publish/new" className="button">
        Write a post
      </Link>
    </EmptyState>
  );
}
