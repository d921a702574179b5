import { useQuery } from '@tanstack/react-query';
import { answer, api } from '../../../api/client';
import type { paths } from '../../../api/schema';
import { PLATFORMS } from '../publication-keys';

export type Platform =
  paths['/api/v1/platforms']['get']['responses'][200]['content']['application/json']['items'][number];

/** Capacity returns as time passes, without an event. */
const POLL_INTERVAL_MS = 10_000;

export function usePlatforms() {
  return useQuery({
    queryKey: [PLATFORMS],
    refetchInterval: POLL_INTERVAL_MS,
    queryFn: async () => (await answer(api.GET('/api/v1/platforms'))).items,
  });
}
