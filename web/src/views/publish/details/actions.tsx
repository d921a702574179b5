import { answer, api } from '../../../api/client';
import { ProblemNote } from '../../../design/problem-note';
import { mayChange, mayPublishNow, mayRetry, type Publication } from '../publication';
import { CancelButton } from './cancel-button';
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
