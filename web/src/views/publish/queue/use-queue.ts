import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { answer, api } from '../../../api/client';
import { type Listed, readAll } from '../../../api/read-all';
import { notOlderThanTold } from '../known-publications';
import { mergeChanged } from '../merge-changed';
import type { Publication, Status } from '../publication';
import { PAGES, PUBLICATIONS } from '../publication-keys';

const MAX_ITEMS = 500;
const PAGE = 100;
const DAY_MS = 86_400_000;
const LATELY_DAYS = 1;
const FAILED_DAYS = 7;

interface Wanted {
  account?: string | undefined;
  status?: Status | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** Soonest first, instead of the newest. */
  order?: 'due';
}

export const readPublications = (
  { account, status, from, to, order }: Wanted,
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

const readMany = (wanted: Wanted) => readAll((cursor) => readPublications(wanted, cursor), MAX_ITEMS);

/** What waits, what needs somebody, and what went out lately. */
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
    readPublications({ account, status: 'published', from: ago(LATELY_DAYS) }, undefined),
  ]);
  const items = [...scheduled.items, ...others.flatMap((list) => list.items)];
  // One that moves on while the lists are read may be in two of them, or in none.
  return { items: mergeChanged([], notOlderThanTold(items), { account }), complete: scheduled.complete };
}

/** Those in one status, newest first, page by page. */
export function usePublicationPages(wanted: { account: string | undefined; status: Status | undefined }) {
  return useInfiniteQuery({
    queryKey: [PAGES, wanted],
    staleTime: 0,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => readPublications(wanted, pageParam, 50),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}
