import { type InfiniteData, type QueryClient, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { answer, api } from '../../../api/client';
import { useStream } from '../../../api/use-stream';
import { JOB, JOBS } from '../job-keys';
import { isEnded, type JobStatus, type ScrapeJob } from '../scrape-job';

/** A browser keeps few connections to a server: only so many jobs of a list are streamed, the others are read now and then. */
export const MAX_STREAMED = 2;
const LOOK_AGAIN_MS = 3_000;
const IDLE_INTERVAL_MS = 20_000;

type Pages = InfiniteData<{ items: ScrapeJob[]; nextCursor: string | null }>;

export function useJobs(status: JobStatus | undefined) {
  return useInfiniteQuery({
    queryKey: [JOBS, { status }],
    // What a stream tells of one job says nothing of new ones.
    staleTime: 0,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => {
      const query = { limit: 20, ...(pageParam !== undefined && { cursor: pageParam }), ...(status && { status }) };
      return answer(api.GET('/api/v1/jobs/scrape', { params: { query } }));
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state }) => {
      const running = state.data?.pages.flatMap(({ items }) => items).filter((job) => !isEnded(job)).length ?? 0;
      return running > MAX_STREAMED ? LOOK_AGAIN_MS : IDLE_INTERVAL_MS;
    },
  });
}

export function useJob(id: string) {
  return useQuery({
    queryKey: [JOB, id],
    queryFn: () => answer(api.GET('/api/v1/jobs/scrape/{id}', { params: { path: { id } } })),
  });
}

/** Follows a job until it has ended. `id` undefined follows none. */
export function useJobStream(id: string | undefined): void {
  const client = useQueryClient();
  const path = id === undefined ? undefined : `/api/v1/jobs/scrape/${encodeURIComponent(id)}/stream`;
  useStream(path, ['job'], (_event, data) => keepJob(client, data as ScrapeJob));
}

/** Shows the job anew wherever it is shown. */
export function keepJob(client: QueryClient, job: ScrapeJob): void {
  client.setQueryData([JOB, job.id], job);
  client.setQueriesData<Pages>(
    { queryKey: [JOBS] },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({ ...page, items: page.items.map((old) => (old.id === job.id ? job : old)) })),
      },
  );
}
