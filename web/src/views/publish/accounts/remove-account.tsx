import { useRef } from 'react';
import { answer, api } from '../../../api/client';
import { Dialog } from '../../../design/dialog';
import { ProblemNote } from '../../../design/problem-note';
import { Of } from './of';
import { useAccountAct } from './use-account-act';
import type { Account } from './use-accounts';

export function RemoveAccount({ account: { id, name } }: { account: Account }) {
  const asking = useRef<HTMLDialogElement>(null);
  const remove = useAccountAct(
    () => answer(api.DELETE('/api/v1/accounts/{id}', { params: { path: { id } } })),
    () => `${name} is removed.`,
  );
  return (
    <>
      <button type="button" className="danger" onClick={() => asking.current?.showModal()}>
        Remove <Of name={name} />
      </button>
      <Dialog ref={asking} title={`Remove ${name}?`}>
        <p>
          Its credentials are forgotten, and its publications that are not out are cancelled. What is out stays out.
        </p>
        {remove.error && <ProblemNote error={remove.error} />}
        <div className="row dialog-actions">
          <button type="button" className="danger" disabled={remove.isPending} onClick={() => remove.mutate(undefined)}>
            {remove.isPending ? 'Removing …' : 'Remove the account'}
          </button>
          <button type="button" onClick={() => asking.current?.close()}>
            Keep it
          </button>
        </div>
      </Dialog>
    </>
  );
}
