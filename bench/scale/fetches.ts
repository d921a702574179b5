import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Fleet } from '../harness/fleet.js';
import { between, each, type Usage, usageOf } from '../harness/usage.js';

/** The sources become due at one moment, this long (ms) after they were chosen. */
const HEAD_START_MS = 1_500;
const POLL_MS = 300;
const STUCK_MS = 60_000;
/** Processes keep counts in memory for 3 seconds before they store them, and that belongs to the cost. */
const AFTERMATH_MS = 3_500;

export interface Fetches {
  /** The sources, as SQL on their id. */
  which: string;
  /** Returns the number of posts that all of them together must yield. */
  newPosts: (sources: number) => number;
  /** The usage of an idle system in a second. */
  idle: Usage;
}

/** Makes sources due, waits until each was fetched, and returns the cost of one fetch. */
export async function fetchAll(fleet: Fleet, { which, newPosts, idle }: Fetches): Promise<Usage> {
  const { client } = fleet;
  const postsBefore = await countOf(client, 'SELECT count(*) FROM posts');
  const chosen = await client.query<{ id: string; now: Date }>(
    `UPDATE fetch_states SET next_fetch_at = now() + $1 * interval '1 ms' WHERE ${which} RETURNING id, now()`,
    [HEAD_START_MS],
  );
  const ids = chosen.rows.map(({ id }) => id);
  const before = await usageOf(fleet);
  await allFetched(client, ids, chosen.rows[0]?.now ?? new Date());
  await sleep(AFTERMATH_MS);
  const used = between(before, await usageOf(fleet), idle);
  const found = (await countOf(client, 'SELECT count(*) FROM posts')) - postsBefore;
  if (found !== newPosts(ids.length)) throw new Error(`${found} posts were found instead of ${newPosts(ids.length)}`);
  return each(used, ids.length);
}

/** Measures the usage per second of an idle system. */
export async function idleUsage(fleet: Fleet, seconds: number): Promise<Usage> {
  const before = await usageOf(fleet);
  await sleep(seconds * 1_000);
  const used = between(before, await usageOf(fleet));
  return each(used, used.at / 1_000);
}

async function allFetched(client: pg.Client, ids: string[], since: Date): Promise<void> {
  const query = 'SELECT count(*) FROM fetch_states WHERE id = ANY($1) AND last_success_at > $2';
  let [fetched, progressAt] = [0, Date.now()];
  while (fetched < ids.length) {
    await sleep(POLL_MS);
    const now = await countOf(client, query, [ids, since]);
    if (now > fetched) [fetched, progressAt] = [now, Date.now()];
    if (Date.now() - progressAt > STUCK_MS) throw new Error(`only ${fetched} of ${ids.length} sources were fetched`);
  }
}

async function countOf(client: pg.Client, query: string, values: unknown[] = []): Promise<number> {
  return Number((await client.query<{ count: string }>(query, values)).rows[0]?.count);
}
