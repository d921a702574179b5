import { answer, api } from '../../../api/client';
import { ProblemNote } from '../../../design/problem-note';
import { mayChange, mayHurry, mayRetry, type Publication } from '../publication';
import { CancelButton } from './cancel-button';
import { useAct } from './use-act';

/** What may be done with it as it stands. */
export function Actions({ publication, onEdit }: { publication: Publication; onEdit: () => void }) {
  const path = { params: { path: { id: publication.id } } };
  const hurry = useAct(publication, {
    run: () => answer(api.POST('/api/v1/publications/{id}/publish-now', path)),
    said: 'It goes out as soon as there is room.',
  });
  const retry = useAct(publication, {
    run: () => answer(api.POST('/api/v1/publications/{id}/retry', path)),
    said: 'It is tried again.',
  });
  const busy = hurry.isPending || retry.isPending;
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
            <CancelButton publication={publication} disabled={busy} />
          </>
        )}
      </div>
      {error && <ProblemNote error={error} />}
    </>
  );
}
