import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { answer, api } from '../../api/client';
import type { paths } from '../../api/schema';
import { useStream } from '../../api/use-stream';

export type Import = paths['/api/v1/imports/{id}']['get']['responses'][200]['content']['application/json'];

/** For the case that the stream was refused. */
const LOOK_AGAIN_MS = 10_000;
/** The stream tells the sums, several times a second; the lists are asked for anew when they are likely to have moved. */
const LISTS_INTERVAL_MS = 2_000;

/** One import, live while it runs. */
export function useImport(id: string) {
  const client = useQueryClient();
  const queryKey = ['import', id];
  const listsAt = useRef(0);
  const query = useQuery({
    queryKey,
    queryFn: () => answer(api.GET('/api/v1/imports/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data?.completedAt === null ? LOOK_AGAIN_MS : false),
  });
  useImportStream(query.data, (run) => {
    client.setQueryData(queryKey, run);
    if (!run.completedAt && Date.now() - listsAt.current < LISTS_INTERVAL_MS) return;
    listsAt.current = Date.now();
    void client.invalidateQueries({ queryKey: ['import-parts', id] });
  });
  return query;
}

/** A stream that has told the end would only begin again: it is left then. */
export function useImportStream(run: Import | undefined, hear: (run: Import) => void): void {
  const path = run?.completedAt === null ? `/api/v1/imports/${run.id}/stream` : undefined;
  useStream(path, ['import'], (_, data) => hear(data as Import));
}
