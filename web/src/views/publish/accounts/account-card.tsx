import { useRef, useState } from 'react';
import { answer, api } from '../../../api/client';
import { Badge } from '../../../design/badge';
import { Dialog } from '../../../design/dialog';
import { ProblemNote } from '../../../design/problem-note';
import { RelativeTime } from '../../../design/relative-time';
import { AccountForm } from './account-form';
import { slotText } from './slot-times';
import { SlotsForm } from './slots-form';
import { useAccountMutation } from './use-account-mutation';
import type { Account } from './use-accounts';

export function AccountCard({ account, label }: { account: Account; label: string }) {
  const [open, setOpen] = useState<'change' | 'slots'>();
  const check = useAccountMutation(
    () => answer(api.POST('/api/v1/accounts/{id}/check', { params: { path: { id: account.id } } })),
    ({ status }) => `${account.name} ${status === 'active' ? 'is connected' : 'needs reconnecting'}.`,
  );
  const end = () => setOpen(undefined);
  return (
    <li className="panel account">
      <div className="row">
        <h3>{account.name}</h3>
        <State {...account} />
        <span className="soft">
          {label}
          {account.platformName && ` · ${account.platformName}`}
        </span>
      </div>
      <Standing {...account} />
      {check.error && <ProblemNote error={check.error} />}
      {open === 'change' && <AccountForm account={account} onEnd={end} />}
      {open === 'slots' && <SlotsForm account={account} onEnd={end} />}
      {!open && (
        <div className="row">
          <button type="button" disabled={check.isPending} onClick={() => check.mutate(undefined)}>
            {check.isPending ? 'Checking …' : 'Check'} <Of name={account.name} />
          </button>
          <button type="button" onClick={() => setOpen('change')}>
            {account.status === 'broken' ? 'Reconnect' : 'Edit'} <Of name={account.name} />
          </button>
          <button type="button" onClick={() => setOpen('slots')}>
            Slots <Of name={account.name} />
          </button>
          <RemoveAccount account={account} />
        </div>
      )}
    </li>
  );
}

function State({ status, checkedAt }: Account) {
  if (status === 'broken') return <Badge tone="bad">Needs reconnecting</Badge>;
  return checkedAt ? <Badge tone="good">Connected</Badge> : <Badge>Not checked</Badge>;
}

function Standing({ lastError, closedUntil, closedBecause, checkedAt, slots }: Account) {
  return (
    <div className="small">
      {lastError && <p className="mistake">{lastError}</p>}
      {closedUntil && (
        <p>
          The platform does not accept posts right now{closedBecause && `: ${closedBecause}`}. Publishing resumes{' '}
          <RelativeTime at={closedUntil} />.
        </p>
      )}
      <p className="soft">
        {checkedAt ? (
          <>
            Checked <RelativeTime at={checkedAt} />
          </>
        ) : (
          'Credentials not checked yet'
        )}
        {slots && ` · Slots: ${slotText(slots)}`}
      </p>
    </div>
  );
}

function RemoveAccount({ account: { id, name } }: { account: Account }) {
  const asking = useRef<HTMLDialogElement>(null);
  const remove = useAccountMutation(
    () => answer(api.DELETE('/api/v1/accounts/{id}', { params: { path: { id } } })),
    () => `${name} removed.`,
  );
  return (
    <>
      <button type="button" className="danger" onClick={() => asking.current?.showModal()}>
        Remove <Of name={name} />
      </button>
      <Dialog ref={asking} title={`Remove ${name}?`}>
        <p>This deletes its credentials and cancels its pending publications. Published posts stay on the platform.</p>
        {remove.error && <ProblemNote error={remove.error} />}
        <div className="row dialog-actions">
          <button type="button" className="danger" disabled={remove.isPending} onClick={() => remove.mutate(undefined)}>
            {remove.isPending ? 'Removing …' : 'Remove account'}
          </button>
          <button type="button" onClick={() => asking.current?.close()}>
            Cancel
          </button>
        </div>
      </Dialog>
    </>
  );
}

/** Names the account of a button for screen readers. */
const Of = ({ name }: { name: string }) => <span className="hidden">{name}</span>;
