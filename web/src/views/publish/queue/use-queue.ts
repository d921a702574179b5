import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { answer, api } from '../../../api/client';
import { type Listed, readAll } from '../../../api/read-all';
import { withLatest } from '../known-publications';
import { mergeChanged } from '../merge-changed';
import type { Publication, Status } from '../publication';
import { PAGES, PUBLICATIONS } from '../publication-keys';

const MAX_ITEMS = 500;
const PAGE = 100;
const DAY_MS = 86_400_000;
const PUBLISHED_DAYS = 1;
const FAILED_DAYS = 7;

interface PublicationQuery {
  account?: string | undefined;
  status?: Status | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** Due first, instead of newest first. */
  order?: 'due';
}

export const readPublications = (
  { account, status, from, to, order }: PublicationQuery,
  cursor: string | undefined,
  limit = PAGE,
) =>
  answer(
    api.GET('/api/v1/publications', {
      params: {
        query: {
          limit,
          ...(cursor !== undefined && { cursor }),
          ...(account !== undefined && { account }),
          ...(status !== undefined && { status }),
          ...(from !== undefined && { from }),
          ...(to !== undefined && { to }),
          ...(order !== undefined && { order }),
        },
      },
    }),
  );

const readMany = (query: PublicationQuery) => readAll((cursor) => readPublications(query, cursor), MAX_ITEMS);

export function useQueue(account: string | undefined) {
  return useQuery({
    queryKey: [PUBLICATIONS, { account }, 'queue'],
    staleTime: 0,
    queryFn: () => readQueue(account, Date.now()),
  });
}

async function readQueue(account: string | undefined, now: number): Promise<Listed<Publication>> {
  const ago = (days: number) => new Date(now - days * DAY_MS).toISOString();
  const [scheduled, ...others] = await Promise.all([
    readMany({ account, status: 'scheduled', order: 'due' }),
    ...(['queued', 'publishing', 'unknown'] as const).map((status) => readMany({ account, status })),
    readMany({ account, status: 'failed', from: ago(FAILED_DAYS) }),
    readPublications({ account, status: 'published', from: ago(PUBLISHED_DAYS) }, undefined),
  ]);
  const items = [...scheduled.items, ...others.flatMap((list) => list.items)];
  // A publication that changes its status while the lists are read may be in two of them, or in none.
  return { items: mergeChanged([], withLatest(items), { account }), complete: scheduled.complete };
}

export function usePublicationPages(filter: { account: string | undefined; status: Status | undefined }) {
  return useInfiniteQuery({
    queryKey: [PAGES, filter],
    staleTime: 0,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => readPublications(filter, pageParam, 50),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}
