import { type ApiClient, read } from '../api/api-client.js';
import { watchUntil } from '../api/event-stream.js';
import type { Terminal } from '../command.js';
import { Progress } from '../show/progress.js';
import { hasEnded, Publication } from './publication.js';

/** Until all of them have ended; ends with them as the API shows them. */
export async function watchPublications(
  api: ApiClient,
  ids: readonly string[],
  terminal: Terminal,
): Promise<unknown[]> {
  const progress = new Progress(terminal);
  const known = new Map<string, unknown>();
  try {
    return await watchUntil(api, '/publications/stream', async ({ event, data }) => {
      // Nobody tells of what happened before the stream began.
      if (event === 'open' || event === 'reset')
        for (const id of ids) known.set(id, await api.get(`/publications/${id}`));
      if (event === 'publication') known.set(read(Publication, data).id, data);
      const all = ids.map((id) => read(Publication, known.get(id)));
      const done = all.filter(hasEnded).length;
      progress.show({ done, total: ids.length, text: all.map(stateOf).join('; ') });
      return done === ids.length ? ids.map((id) => known.get(id)) : undefined;
    });
  } finally {
    progress.end();
  }
}

const stateOf = ({ platform, status, waitingFor }: Publication) =>
  `${platform} ${status}${waitingFor ? ` (${waitingFor})` : ''}`;
