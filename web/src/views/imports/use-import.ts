import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { answer, api } from '../../api/client';
import type { paths } from '../../api/schema';
import { useStream } from '../../api/use-stream';

export type Import = paths['/api/v1/imports/{id}']['get']['responses'][200]['content']['application/json'];

/** Used as a fallback if the stream is refused. */
const POLL_INTERVAL_MS = 10_000;
/** The stream sends totals several times per second. The lists are refetched no more often than this. */
const LISTS_INTERVAL_MS = 2_000;

export function useImport(id: string) {
  const client = useQueryClient();
  const queryKey = ['import', id];
  const listsAt = useRef(0);
  const query = useQuery({
    queryKey,
    queryFn: () => answer(api.GET('/api/v1/imports/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data?.completedAt === null ? POLL_INTERVAL_MS : false),
  });
  useImportStream(query.data, (run) => {
    client.setQueryData(queryKey, run);
    if (!run.completedAt && Date.now() - listsAt.current < LISTS_INTERVAL_MS) return;
    listsAt.current = Date.now();
    void client.invalidateQueries({ queryKey: ['import-parts', id] });
  });
  return query;
}

/** The browser would reconnect to a stream that has ended, so a finished import is not streamed. */
export function useImportStream(run: Import | undefined, onChange: (run: Import) => void): void {
  const path = run?.completedAt === null ? `/api/v1/imports/${run.id}/stream` : undefined;
  useStream(path, ['import'], (_, data) => onChange(data as Import));
}
