import { useRef } from 'react';
import { answer, api } from '../../../api/client';
import { Dialog } from '../../../design/dialog';
import { ProblemNote } from '../../../design/problem-note';
import type { Publication } from '../publication';
import { usePublicationMutation } from './use-publication-mutation';

export function CancelButton({ publication, disabled }: { publication: Publication; disabled: boolean }) {
  const asking = useRef<HTMLDialogElement>(null);
  const cancel = usePublicationMutation(publication, {
    run: () => answer(api.DELETE('/api/v1/publications/{id}', { params: { path: { id: publication.id } } })),
    message: 'Publication cancelled.',
    after: () => asking.current?.close(),
  });
  return (
    <>
      <button type="button" className="danger" disabled={disabled} onClick={() => asking.current?.showModal()}>
        Cancel publication
      </button>
      <Dialog ref={asking} title="Cancel this publication?">
        <p>It will not be published. It stays in the list as cancelled.</p>
        {cancel.error && <ProblemNote error={cancel.error} />}
        <div className="row dialog-actions">
          <button type="button" className="danger" disabled={cancel.isPending} onClick={() => cancel.mutate(undefined)}>
            {cancel.isPending ? 'Cancelling …' : 'Cancel publication'}
          </button>
          <button type="button" onClick={() => asking.current?.close()}>
            Keep
          </button>
        </div>
      </Dialog>
    </>
  );
}
