import { useRef } from 'react';
import { answer, api } from '../../../api/client';
import { Dialog } from '../../../design/dialog';
import { ProblemNote } from '../../../design/problem-note';
import { mayChange, mayPublishNow, mayRetry, type Publication } from '../publication';
import { usePublicationMutation } from './use-publication-mutation';

export function Actions({ publication, onEdit }: { publication: Publication; onEdit: () => void }) {
  const path = { params: { path: { id: publication.id } } };
  const publishNow = usePublicationMutation(publication, {
    run: () => answer(api.POST('/api/v1/publications/{id}/publish-now', path)),
    message: 'It is published as soon as the limits allow.',
  });
  const retry = usePublicationMutation(publication, {
    run: () => answer(api.POST('/api/v1/publications/{id}/retry', path)),
    message: 'Retrying.',
  });
  const busy = publishNow.isPending || retry.isPending;
  const error = publishNow.error ?? retry.error;
  return (
    <>
      <div className="row">
        {mayPublishNow(publication) && (
          <button type="button" disabled={busy} onClick={() => publishNow.mutate(undefined)}>
            {publishNow.isPending ? 'Sending …' : 'Publish now'}
          </button>
        )}
        {mayRetry(publication) && (
          <button type="button" disabled={busy} onClick={() => retry.mutate(undefined)}>
            {retry.isPending ? 'Sending …' : 'Retry'}
          </button>
        )}
        {mayChange(publication) && (
          <>
            <button type="button" disabled={busy} onClick={onEdit}>
              Edit
            </button>
            <CancelButton publication={publication} disabled={busy} />
          </>
        )}
      </div>
      {error && <ProblemNote error={error} />}
    </>
  );
}

function CancelButton({ publication, disabled }: { publication: Publication; disabled: boolean }) {
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
