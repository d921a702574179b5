import { z } from 'zod';
import { type Fetcher } from '../fetcher.js';
import { toPage } from './remote-page.js';

/** A type that workers fetch; all that is known of it here is how its sources are spelled. */
export function remoteFetcher(description: Omit<Fetcher, 'fetch' | 'remote'>): Fetcher {
  return {
    ...description,
    remote: true,
    async fetch(command, { askWorker }) {
      const result = await askWorker(description.type, command);
      return toPage(result, { type: description.type, command });
    },
  };
}

/** A type that only its workers know. */
export const unknownRemoteFetcher = (type: string): Fetcher =>
  remoteFetcher({ type, name: type, externalId: z.string().trim().min(1, 'what the worker takes').max(500) });
