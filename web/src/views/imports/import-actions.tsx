import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { answer, api } from '../../api/client';
import { useAnnounce } from '../../design/announcer';
import type { Import } from './use-import';

/** A running import can be stopped, one that has ended run again. */
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
              Run failed feeds again
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
      announce('The import is cancelled. What was stored stays.');
    },
    // It may have ended meanwhile, which is why it was refused.
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
      announce(`Import ${run.id} has started.`);
      navigate(`/imports/${run.id}`);
    },
  });
}
