import { useState } from 'react';
import { Link } from 'wouter';
import { EmptyState } from '../../../design/empty-state';
import { ProblemNote } from '../../../design/problem-note';
import { Waiting } from '../../../design/waiting';
import { useAccounts } from '../accounts/use-accounts';
import { Capacity } from '../capacity/capacity';
import { NoAccounts } from '../no-accounts';
import { STATUS_LABELS, STATUSES, type Status } from '../publication';
import { History } from './history';
import { QueueList } from './queue-list';
import { queueSections } from './queue-sections';
import { useQueue } from './use-queue';

export type Shown = 'queue' | 'all' | Status;

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
  if (!data) return <Waiting for="queue" />;
  const { made, attention, waiting, out } = queueSections(data.items, justMade());
  if (![made, attention, waiting, out].some((section) => section.length)) return <NoPublications />;
  return (
    <>
      {error && <ProblemNote error={error} onRetry={refetch} />}
      {made.length > 0 && <QueueList title="Just added" items={made} />}
      {attention.length > 0 && <QueueList title="Needs attention" items={attention} />}
      <QueueList title="Waiting" items={waiting} empty="No publications are waiting.">
        {!data.complete && (
          <p className="hint">
            More than 500 publications are waiting. The first ones due are shown; see the calendar for the others.
          </p>
        )}
      </QueueList>
      {out.length > 0 && <QueueList title="Published in the last 24 hours" items={out} />}
    </>
  );
}

/** Set by the form when it navigates here; lost with the next navigation. */
function justMade(): string[] {
  const state: unknown = history.state;
  const made = typeof state === 'object' && state !== null && 'made' in state ? state.made : undefined;
  return Array.isArray(made) ? made.map(String) : [];
}

function NoPublications() {
  return (
    <EmptyState title="No scheduled publications">
      <p>Write a post, choose accounts and a time, and follow its progress here.</p>
      <Link href="/publish/new" className="button">
        New post
      </Link>
    </EmptyState>
  );
}

interface Props {
  shown: Shown;
  setShown: (shown: Shown) => void;
  account: string | undefined;
  setAccount: (id: string | undefined) => void;
}

function QueueFilters({ shown, setShown, account, setAccount }: Props) {
  const { data: accounts = [] } = useAccounts();
  return (
    <search className="row" aria-label="Filter publications">
      <label className="inline-field">
        Show
        <select value={shown} onChange={({ target }) => setShown(target.value as Shown)}>
          <option value="queue">queue</option>
          {STATUSES.map((status) => (
            <option key={status} value={status}>
              {STATUS_LABELS[status].name.toLowerCase()}
            </option>
          ))}
          <option value="all">all publications</option>
        </select>
      </label>
      <label className="inline-field">
        Account
        <select value={account ?? ''} onChange={({ target }) => setAccount(target.value || undefined)}>
          <option value="">all</option>
          {accounts.map(({ id, name, platform }) => (
            <option key={id} value={id}>
              {name} ({platform})
            </option>
          ))}
        </select>
      </label>
    </search>
  );
}
