import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Listed } from '../../api/read-all';
import { type StreamState, useStream } from '../../api/use-stream';
import { remember } from './known-publications';
import { mergeChanged, type Scope } from './merge-changed';
import type { Publication } from './publication';
import { PAGES, PLATFORMS, PUBLICATION, PUBLICATIONS } from './publication-keys';

/** Many publications change at once when a limit frees up; they are shown together. */
const BATCH_DELAY_MS = 250;
const CAPACITY_MS = 2_000;

type Pages = InfiniteData<{ items: Publication[]; nextCursor: string | null }>;

/** Applies the stream to every cached query. */
export function useLivePublications(): StreamState {
  const client = useQueryClient();
  const gathered = useRef(new Map<string, Publication>());
  const soon = useRef<number>(undefined);
  const capacity = useRef<number>(undefined);
  useEffect(
    () => () => {
      window.clearTimeout(soon.current);
      window.clearTimeout(capacity.current);
      soon.current = capacity.current = undefined;
    },
    [],
  );

  return useStream('/api/v1/publications/stream', ['publication', 'reset'], (event, data) => {
    capacity.current ??= window.setTimeout(() => {
      capacity.current = undefined;
      void client.invalidateQueries({ queryKey: [PLATFORMS] });
    }, CAPACITY_MS);
    if (event === 'reset') {
      for (const key of [PUBLICATION, PUBLICATIONS, PAGES]) void client.invalidateQueries({ queryKey: [key] });
      return;
    }
    const publication = data as Publication;
    gathered.current.set(publication.id, publication);
    soon.current ??= window.setTimeout(() => {
      soon.current = undefined;
      keep(client, [...gathered.current.values()]);
      gathered.current.clear();
    }, BATCH_DELAY_MS);
  });
}

const replaceInPages = (data: Pages, news: Map<string, Publication>): Pages => ({
  ...data,
  pages: data.pages.map((page) => ({ ...page, items: page.items.map((old) => news.get(old.id) ?? old) })),
});

function keep(client: QueryClient, changed: Publication[]): void {
  remember(changed);
  for (const one of changed) client.setQueryData([PUBLICATION, one.id], one);
  for (const [key] of client.getQueriesData<Listed<Publication>>({ queryKey: [PUBLICATIONS] })) {
    const scope = (key[1] ?? {}) as Scope;
    client.setQueryData<Listed<Publication>>(
      key,
      (list) => list && { ...list, items: mergeChanged(list.items, changed, scope) },
    );
  }
  const news = new Map(changed.map((one) => [one.id, one]));
  client.setQueriesData<Pages>({ queryKey: [PAGES] }, (data) => data && replaceInPages(data, news));
}
