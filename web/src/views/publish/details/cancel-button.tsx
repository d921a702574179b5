import { useRef } from 'react';
import { answer, api } from '../../../api/client';
import { Dialog } from '../../../design/dialog';
import { ProblemNote } from '../../../design/problem-note';
import type { Publication } from '../publication';
import { useAct } from './use-act';

/** Asks first: what is cancelled does not come back. */
export function CancelButton({ publication, disabled }: { publication: Publication; disabled: boolean }) {
  const asking = useRef<HTMLDialogElement>(null);
  const cancel = useAct(publication, {
    run: () => answer(api.DELETE('/api/v1/publications/{id}', { params: { path: { id: publication.id } } })),
    said: 'It is cancelled.',
    after: () => asking.current?.close(),
  });
  return (
    <>
      <button type="button" className="danger" disabled={disabled} onClick={() => asking.current?.showModal()}>
        Cancel it
      </button>
      <Dialog ref={asking} title="Cancel this publication?">
        <p>It will not go out. It stays in the list as cancelled.</p>
        {cancel.error && <ProblemNote error={cancel.error} />}
        <div className="row dialog-actions">
          <button type="button" className="danger" disabled={cancel.isPending} onClick={() => cancel.mutate(undefined)}>
            {cancel.isPending ? 'Cancelling …' : 'Cancel the publication'}
          </button>
          <button type="button" onClick={() => asking.current?.close()}>
            Keep it
          </button>
        </div>
      </Dialog>
    </>
  );
}
