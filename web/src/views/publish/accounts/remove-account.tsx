import { useRef } from 'react';
import { answer, api } from '../../../api/client';
import { Dialog } from '../../../design/dialog';
import { ProblemNote } from '../../../design/problem-note';
import { Of } from './of';
import { useAccountMutation } from './use-account-mutation';
import type { Account } from './use-accounts';

export function RemoveAccount({ account: { id, name } }: { account: Account }) {
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
        <p>
          This deletes its credentials and cancels its pending publications. Published posts stay on the platform.
        </p>
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
