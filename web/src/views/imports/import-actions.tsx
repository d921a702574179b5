import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { answer, api } from '../../api/client';
import { useAnnounce } from '../../design/announcer';
import type { Import } from './use-import';

export function ImportActions({ run }: { run: Import }) {
  const cancel = useCancel(run.id);
  const rerun = useRerun(run.id);
  const error = cancel.error ?? rerun.error;
  return (
    <div className="row">
      {error && (
        <p className="mistake" role="alert">
          {error.message}
        </p>
      )}
      {run.completedAt ? (
        <>
          {run.feeds.failed > 0 && (
            <button type="button" disabled={rerun.isPending} onClick={() => rerun.mutate('failed')}>
              Retry failed feeds
            </button>
          )}
          <button type="button" disabled={rerun.isPending} onClick={() => rerun.mutate(undefined)}>
            {rerun.isPending ? 'Starting …' : 'Run again'}
          </button>
        </>
      ) : (
        <button type="button" className="danger" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          {cancel.isPending ? 'Cancelling …' : 'Cancel import'}
        </button>
      )}
    </div>
  );
}

function useCancel(id: string) {
  const client = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: () => answer(api.POST('/api/v1/imports/{id}/cancel', { params: { path: { id } } })),
    onSuccess: (run) => {
      client.setQueryData(['import', id], run);
      void client.invalidateQueries({ queryKey: ['import-parts', id] });
      announce('Import cancelled. Items stored so far are kept.');
    },
    // The request is refused if the import has just ended, so its state is read again.
    onError: () => client.invalidateQueries({ queryKey: ['import', id] }),
  });
}

function useRerun(id: string) {
  const client = useQueryClient();
  const announce = useAnnounce();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: (only: 'failed' | undefined) =>
      answer(api.POST('/api/v1/imports/{id}/rerun', { params: { path: { id } }, body: only ? { only } : {} })),
    onSuccess: (run) => {
      client.setQueryData(['import', run.id], run);
      void client.invalidateQueries({ queryKey: ['imports'] });
      announce(`Import ${run.id} started.`);
      navigate(`/imports/${run.id}`);
    },
  });
}
