import { useRef } from 'react';
import { answer, api } from '../../../api/client';
import { Dialog } from '../../../design/dialog';
import { ProblemNote } from '../../../design/problem-note';
import { mayChange, mayHurry, mayRetry, type Publication } from '../publication';
import { useAct } from './use-act';

/** What may be done with it as it stands. */
export function Actions({ publication, onEdit }: { publication: Publication; onEdit: () => void }) {
  const path = { params: { path: { id: publication.id } } };
  const asking = useRef<HTMLDialogElement>(null);
  const hurry = useAct(publication, {
    run: () => answer(api.POST('/api/v1/publications/{id}/publish-now', path)),
    said: 'It goes out as soon as there is room.',
  });
  const retry = useAct(publication, {
    run: () => answer(api.POST('/api/v1/publications/{id}/retry', path)),
    said: 'It is tried again.',
  });
  const cancel = useAct(publication, {
    run: () => answer(api.DELETE('/api/v1/publications/{id}', path)),
    said: 'It is cancelled.',
    after: () => asking.current?.close(),
  });
  const busy = hurry.isPending || retry.isPending || cancel.isPending;
  const error = hurry.error ?? retry.error;
  return (
    <>
      <div className="row">
        {mayHurry(publication) && (
          <button type="button" disabled={busy} onClick={() => hurry.mutate(undefined)}>
            {hurry.isPending ? 'Asking …' : 'Publish now'}
          </button>
        )}
        {mayRetry(publication) && (
          <button type="button" disabled={busy} onClick={() => retry.mutate(undefined)}>
            {retry.isPending ? 'Asking …' : 'Try again'}
          </button>
        )}
        {mayChange(publication) && (
          <>
            <button type="button" disabled={busy} onClick={onEdit}>
              Edit
            </button>
            <button type="button" className="danger" disabled={busy} onClick={() => asking.current?.showModal()}>
              Cancel it
            </button>
          </>
        )}
      </div>
      {error && <ProblemNote error={error} />}
      <Dialog ref={asking} title="Cancel this publication?">
        <p>It will not go out. It stays in the list as cancelled.</p>
        {cancel.error && <ProblemNote error={cancel.error} />}
        <div className="row dialog-actions">
          <button type="button" className="danger" disabled={busy} onClick={() => cancel.mutate(undefined)}>
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
