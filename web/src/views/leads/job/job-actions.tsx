import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { answer, api } from '../../../api/client';
import { useAnnounce } from '../../../design/announcer';
import { ProblemNote } from '../../../design/problem-note';
import { JOB, JOBS, jobPath } from '../job-keys';
import { keepJob } from '../jobs/use-jobs';
import { isEnded, type ScrapeJob } from '../scrape-job';

export function JobActions({ job }: { job: ScrapeJob }) {
  const client = useQueryClient();
  const announce = useAnnounce();
  const [, navigate] = useLocation();
  const path = { params: { path: { id: job.id } } };
  const cancel = useMutation({
    mutationFn: () => answer(api.POST('/api/v1/jobs/scrape/{id}/cancel', path)),
    onSuccess: (cancelled) => {
      keepJob(client, cancelled);
      announce('Search cancelled. Leads found so far are kept.');
    },
    onError: () => void client.invalidateQueries({ queryKey: [JOB, job.id] }),
  });
  const rerun = useMutation({
    mutationFn: () => answer(api.POST('/api/v1/jobs/scrape/{id}/rerun', path)),
    onSuccess: ({ id }) => {
      void client.invalidateQueries({ queryKey: [JOBS] });
      announce('Search started again.');
      navigate(jobPath(id));
    },
  });
  const error = cancel.error ?? rerun.error;
  return (
    <>
      {isEnded(job) ? (
        <button type="button" disabled={rerun.isPending} onClick={() => rerun.mutate()}>
          {rerun.isPending ? 'Starting …' : 'Run again'}
        </button>
      ) : (
        <button type="button" className="danger" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          {cancel.isPending ? 'Cancelling …' : 'Cancel search'}
        </button>
      )}
      {error && <ProblemNote error={error} />}
    </>
  );
}
