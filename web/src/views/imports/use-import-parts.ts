import { useInfiniteQuery } from '@tanstack/react-query';
import { answer, api } from '../../api/client';
import type { paths } from '../../api/schema';
import type { Import } from './use-import';

type Listed<Path extends '/api/v1/imports/{id}/feeds' | '/api/v1/imports/{id}/items'> =
  paths[Path]['get']['responses'][200]['content']['application/json']['items'][number];
export type ImportFeed = Listed<'/api/v1/imports/{id}/feeds'>;
export type FailedItem = Extract<Listed<'/api/v1/imports/{id}/items'>, { reason: string }>;

/** Used as a fallback if the stream is refused. */
const POLL_INTERVAL_MS = 10_000;
const LIMIT = 50;

const whileItRuns = ({ completedAt }: Import) => (completedAt ? false : POLL_INTERVAL_MS);

export function useImportFeeds(run: Import, status: ImportFeed['status'] | undefined) {
  return useInfiniteQuery({
    queryKey: ['import-parts', run.id, 'feeds', status],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) => {
      const query = { limit: LIMIT, ...(status && { status }), ...(cursor && { cursor }) };
      return answer(api.GET('/api/v1/imports/{id}/feeds', { params: { path: { id: run.id }, query } }));
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: whileItRuns(run),
  });
}

export function useFailedItems(run: Import) {
  return useInfiniteQuery({
    queryKey: ['import-parts', run.id, 'failed-items'],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor }) => {
      const query = { limit: LIMIT, status: 'failed' as const, ...(cursor && { cursor }) };
      const page = await answer(api.GET('/api/v1/imports/{id}/items', { params: { path: { id: run.id }, query } }));
      return { ...page, items: page.items.filter((item): item is FailedItem => 'reason' in item) };
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: whileItRuns(run),
  });
}
