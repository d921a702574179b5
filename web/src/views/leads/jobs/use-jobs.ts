import { type InfiniteData, type QueryClient, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { answer, api } from '../../../api/client';
import { useStream } from '../../../api/use-stream';
import { JOB, JOBS } from '../job-keys';
import { isEnded, type JobStatus, type ScrapeJob } from '../scrape-job';

/** Browsers limit connections per server. Jobs beyond this number are polled instead. */
export const MAX_STREAMED = 2;
const POLL_INTERVAL_MS = 3_000;
const IDLE_INTERVAL_MS = 20_000;

type Pages = InfiniteData<{ items: ScrapeJob[]; nextCursor: string | null }>;

export function useJobs(status: JobStatus | undefined) {
  return useInfiniteQuery({
    queryKey: [JOBS, { status }],
    // Streams update single jobs but do not report new ones.
    staleTime: 0,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => {
      const query = { limit: 20, ...(pageParam !== undefined && { cursor: pageParam }), ...(status && { status }) };
      return answer(api.GET('/api/v1/jobs/scrape', { params: { query } }));
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state }) => {
      const running = state.data?.pages.flatMap(({ items }) => items).filter((job) => !isEnded(job)).length ?? 0;
      return running > MAX_STREAMED ? POLL_INTERVAL_MS : IDLE_INTERVAL_MS;
    },
  });
}

export function useJob(id: string) {
  return useQuery({
    queryKey: [JOB, id],
    queryFn: () => answer(api.GET('/api/v1/jobs/scrape/{id}', { params: { path: { id } } })),
  });
}

export function useJobStream(id: string | undefined): void {
  const client = useQueryClient();
  const path = id === undefined ? undefined : `/api/v1/jobs/scrape/${encodeURIComponent(id)}/stream`;
  useStream(path, ['job'], (_event, data) => keepJob(client, data as ScrapeJob));
}

/** Updates the job in every cached query. */
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
