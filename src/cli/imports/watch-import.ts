import { z } from 'zod';
import { type ApiClient, read } from '../api/api-client.js';
import { watchUntil } from '../api/event-stream.js';
import { readList } from '../api/list.js';
import type { Terminal } from '../command.js';
import { printable } from '../show/printable.js';
import { Progress } from '../show/progress.js';
import { feedsOf, ImportView } from './import-view.js';

/** More of them are a list to ask for. */
const MAX_SHOWN = 20;

/** Shows how an import gets on, until it has ended; ends with it as the API shows it. */
export async function watchImport(api: ApiClient, id: string, terminal: Terminal): Promise<unknown> {
  const progress = new Progress(terminal);
  try {
    return await watchUntil(api, `/imports/${id}/stream`, ({ event, data }) => {
      if (event !== 'import') return undefined;
      const view = read(ImportView, data);
      const { total, done, failed } = view.feeds;
      const text = `feeds ${feedsOf(view)}; ${view.items.found} items, ${view.items.new} new`;
      progress.show({ done: done + failed, total, text });
      return view.status === 'running' ? undefined : data;
    });
  } finally {
    progress.end();
  }
}

const Feed = z.object({ url: z.string(), error: z.string().nullable() });

/** The feeds of an import that failed, and why. */
export async function failedFeeds(api: ApiClient, id: string): Promise<string> {
  const query = { status: 'failed' };
  const { items, nextCursor } = await readList(api, { path: `/imports/${id}/feeds`, query }, MAX_SHOWN);
  const lines = read(z.array(Feed), items).map(({ url, error }) => printable(`${url}: ${error ?? 'failed'}`));
  if (nextCursor !== null) lines.push(`… and more: \`millrace import feeds ${id} --status failed --all\` lists them`);
  return lines.map((line) => `${line}\n`).join('');
}
