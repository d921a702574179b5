import { useQuery, useQueryClient } from '@tanstack/react-query';
import { answer, api } from '../../api/client';
import type { paths } from '../../api/schema';
import { useStream } from '../../api/use-stream';

type Answer<Path extends '/api/v1/health' | '/api/v1/health/series' | '/api/v1/queues' | '/api/v1/workers'> =
  paths[Path]['get']['responses'][200]['content']['application/json'];
export type Health = Answer<'/api/v1/health'>;
export type Queue = Answer<'/api/v1/queues'>['items'][number];
export type Worker = Answer<'/api/v1/workers'>['items'][number];

/** Used as a fallback if the stream is refused. */
const POLL_INTERVAL_MS = 15_000;
const LISTS_INTERVAL_MS = 5_000;
const MINUTE_MS = 60_000;

export function useHealth() {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ['health'],
    queryFn: () => answer(api.GET('/api/v1/health')),
    refetchInterval: POLL_INTERVAL_MS,
  });
  const stream = useStream('/api/v1/health/stream', ['health'], (_, data) =>
    client.setQueryData(['health'], data as Health),
  );
  return { ...query, stream };
}

export function useSeries(minutes: number) {
  return useQuery({
    queryKey: ['health-series', minutes],
    queryFn: () => answer(api.GET('/api/v1/health/series', { params: { query: { minutes } } })),
    refetchInterval: MINUTE_MS,
    placeholderData: (previous) => previous,
  });
}

export function useQueues() {
  return useQuery({
    queryKey: ['queues'],
    queryFn: () => answer(api.GET('/api/v1/queues')),
    refetchInterval: LISTS_INTERVAL_MS,
  });
}

export function useWorkers() {
  return useQuery({
    queryKey: ['workers'],
    queryFn: () => answer(api.GET('/api/v1/workers')),
    refetchInterval: LISTS_INTERVAL_MS,
  });
}
