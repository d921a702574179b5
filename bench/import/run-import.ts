import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../../test/program/api-client.js';

export interface Importing {
  address: string;
  key: string;
  feeds: string[];
  /** The number of items of all feeds together. */
  items: number;
}

interface Import {
  id: string;
  status: string;
  items: { new: number; unchanged: number };
  completedAt: string;
}

const POLL_MS = 500;

/** Measures one import of the feeds, all of whose items must have the given outcome. */
export async function itemsPerSecond(importing: Importing, outcome: 'new' | 'unchanged'): Promise<number> {
  const startedAt = Date.now();
  const { id } = await read(importing, '/start', { feeds: importing.feeds });
  let now = await read(importing, `/${id}`);
  while (now.status === 'running') {
    await sleep(POLL_MS);
    now = await read(importing, `/${id}`);
  }
  if (now.status !== 'completed' || now.items[outcome] !== importing.items)
    throw new Error(`not all ${importing.items} items are ${outcome}: ${JSON.stringify(now)}`);
  // The import's own end time is used, because the status is polled.
  return importing.items / ((Date.parse(now.completedAt) - startedAt) / 1_000);
}

async function read({ address, key }: Importing, path: string, body?: object): Promise<Import> {
  const answer = await ask(`${address}/api/v1/imports${path}`, { key, user: 'bench', ...(body && { body }) });
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Import;
}
