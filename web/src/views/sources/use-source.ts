import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../../api/client';
import { SOURCE_KEY } from './use-sources';

const POLL_INTERVAL_MS = 15_000;
const WAITING_MS = 1_000;
/** Stop polling frequently for a requested fetch after this time. */
const MAX_WAITING_MS = 30_000;

/** Call `await` after requesting a fetch: the source is then polled every second until it is fetched. */
export function useSource(id: string) {
  const [awaited, setAwaited] = useState<{ after: string | null; until: number }>();
  const params = { path: { id } };
  const isAwaited = (lastFetchAt: string | null | undefined) =>
    awaited !== undefined && lastFetchAt === awaited.after && Date.now() < awaited.until;
  const source = useQuery({
    queryKey: [...SOURCE_KEY, id],
    queryFn: () => answer(api.GET('/api/v1/sources/{id}', { params })),
    refetchInterval: ({ state }) => (isAwaited(state.data?.lastFetchAt) ? WAITING_MS : POLL_INTERVAL_MS),
  });
  const lastFetchAt = source.data?.lastFetchAt ?? null;
  const schedule = useQuery({
    queryKey: [...SOURCE_KEY, id, 'schedule', lastFetchAt],
    queryFn: () => answer(api.GET('/api/v1/sources/{id}/schedule', { params })),
    placeholderData: (before) => before,
  });
  return {
    source,
    schedule,
    waiting: isAwaited(lastFetchAt),
    await: () => setAwaited({ after: lastFetchAt, until: Date.now() + MAX_WAITING_MS }),
  };
}
