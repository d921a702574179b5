import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ask } from '../../test/program/api-client.js';
import type { Receiver } from './receiver.js';
import type { Taken } from './receiver.program.js';

export interface Posts {
  receiver: Receiver;
  count: number;
  /** How long the platform takes to answer, in milliseconds. */
  delayMs: number;
  /** The number of concurrent calls. */
  concurrency: number;
}

export interface Publishing {
  address: string;
  key: string;
  databaseUrl: string;
}

/** The posts become due at one moment, this long (ms) after they were stored. */
const HEAD_START_MS = 2_000;
const POLL_MS = 200;

/** Creates an account on the receiver. */
export async function makeAccount({ address, key }: Publishing, receiver: Receiver): Promise<string> {
  const credentials = { url: receiver.url, secret: 'a-secret-for-benchmarks-only' };
  const body = { platform: 'webhook', name: 'bench', credentials };
  const answer = await ask(`${address}/api/v1/accounts`, { key, user: 'bench', body });
  if (!answer.ok) throw new Error(`no account: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { id: string }).id;
}

/** Stores posts that become due at one moment, and waits until the receiver has them and Millrace has recorded it. */
export async function publishAll(publishing: Publishing, accountId: string, { receiver, count, delayMs }: Posts) {
  const client = new pg.Client({ connectionString: publishing.databaseUrl });
  await client.connect();
  try {
    const dueAt = new Date(Date.now() + HEAD_START_MS);
    const taken = await receiver.take({ delayMs, count }, () => store(client, { accountId, count, dueAt }));
    await allPublished(client, accountId);
    return { dueAt, taken };
  } finally {
    await client.end();
  }
}

export const perSecond = ({ dueAt, taken: { times } }: { dueAt: Date; taken: Taken }) =>
  times.length / ((Math.max(...times) - dueAt.getTime()) / 1_000);

async function store(
  client: pg.Client,
  { accountId, count, dueAt }: { accountId: string; count: number; dueAt: Date },
) {
  await client.query('DELETE FROM publications WHERE account_id = $1', [accountId]);
  await client.query(
    `INSERT INTO publications (user_id, account_id, platform, content, scheduled_at, job_state)
     SELECT user_id, id, platform, jsonb_build_object('text', 'Post ' || n, 'mediaUrls', '[]'::jsonb), $2::timestamptz, 'idle'
     FROM accounts, generate_series(1, $3) AS n WHERE id = $1`,
    [accountId, dueAt, count],
  );
  await client.query('ANALYZE publications');
}

async function allPublished(client: pg.Client, accountId: string): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ status: string; count: number }>(
      'SELECT status, count(*)::int FROM publications WHERE account_id = $1 GROUP BY status',
      [accountId],
    );
    if (rows.every(({ status }) => status === 'published')) return;
    if (rows.some(({ status }) => status === 'failed' || status === 'unknown')) throw new Error(JSON.stringify(rows));
    await sleep(POLL_MS);
  }
}
