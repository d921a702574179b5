import { useQuery } from '@tanstack/react-query';
import { answer, api } from '../../../api/client';
import { readAll } from '../../../api/read-all';
import type { paths } from '../../../api/schema';
import { ACCOUNTS } from '../publication-keys';

export type Account = paths['/api/v1/accounts/{id}']['get']['responses'][200]['content']['application/json'];

const MAX_ACCOUNTS = 1_000;
const POLL_INTERVAL_MS = 30_000;

export function useAccounts() {
  return useQuery({
    queryKey: [ACCOUNTS],
    refetchInterval: POLL_INTERVAL_MS,
    queryFn: async () => {
      const page = (cursor: string | undefined) =>
        answer(
          api.GET('/api/v1/accounts', { params: { query: { limit: 100, ...(cursor !== undefined && { cursor }) } } }),
        );
      return (await readAll(page, MAX_ACCOUNTS)).items;
    },
  });
}

export function useAccountName(): (id: string) => string {
  const { data } = useAccounts();
  const names = new Map(data?.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? (data ? `Account ${id} (removed)` : `Account ${id}`);
}
