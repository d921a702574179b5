import type { Redis } from 'ioredis';
import type pg from 'pg';
import { request } from 'undici';
import { ask } from '../../test/program/api-client.js';
import type { Feeds } from '../fetch/contest.js';
import { OurFetches } from '../fetch/millrace.js';
import { type Fleet, withFleetOn } from '../harness/fleet.js';
import type { Servers } from '../harness/our-queue.js';
import type { Usage } from '../harness/usage.js';
import { CONCURRENCY, PAGE_SIZE, type Page, type Reader } from './reader.js';

/** Only the benchmark makes sources due. */
const SETTINGS = {
  MILLRACE_MIN_INTERVAL: '1h',
  MILLRACE_RECALC: '24h',
  MILLRACE_FETCH_CONCURRENCY: String(CONCURRENCY),
};

/** Runs work with Millrace as `npm start` runs it, which has one user who follows the feeds. */
export async function withOurReader<T>(
  servers: Servers,
  feeds: Feeds,
  work: (reader: Reader) => Promise<T>,
): Promise<T> {
  const options = { processes: { millrace: 'api,scheduler,worker' }, settings: SETTINGS };
  return withFleetOn(servers, options, async (fleet) => {
    const fetches = await OurFetches.open(fleet, feeds);
    return work(new OurReader(fleet, fetches, await follow(fleet)));
  });
}

/** Returns the key of a user who follows all sources. */
async function follow({ addresses, client, key }: Fleet): Promise<string> {
  const body = { name: 'bench' };
  const answer = await ask(`${addresses.millrace}/api/v1/keys`, { key, user: 'bench', body });
  if (!answer.ok) throw new Error(`a new key was answered with ${answer.status}: ${await answer.text()}`);
  const created = (await answer.json()) as { key: string; userId: string };
  await client.query('INSERT INTO follows (user_id, source_id) SELECT $1, id FROM sources', [created.userId]);
  await client.query('VACUUM ANALYZE');
  return created.key;
}

class OurReader implements Reader {
  readonly name: string;
  readonly programs: Record<string, number>;
  readonly pid: number;
  readonly client: pg.Client;
  readonly redis: Redis | undefined;

  constructor(
    private readonly fleet: Fleet,
    private readonly fetches: OurFetches,
    private readonly key: string,
  ) {
    this.name = `Millrace, queue on ${fleet.redis ? 'Redis' : 'PostgreSQL'}`;
    this.programs = fleet.programs;
    this.pid = fleet.programs.millrace ?? 0;
    this.client = fleet.client;
    this.redis = fleet.redis;
  }

  get cost(): Usage | undefined {
    return this.fetches.cost;
  }

  round(): Promise<number> {
    return this.fetches.round();
  }

  async entries(): Promise<number> {
    const { rows } = await this.client.query<{ count: number }>('SELECT count(*)::int FROM posts');
    return rows[0]?.count ?? 0;
  }

  async unreadPage(): Promise<Page> {
    const url = `${this.fleet.addresses.millrace}/api/v1/feed?unread=true&limit=${PAGE_SIZE}`;
    const answer = await request(url, { headers: { authorization: `Bearer ${this.key}` } });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`a page was answered with ${answer.statusCode}: ${text}`);
    const { items } = JSON.parse(text) as { items: unknown[] };
    return { entries: items.length, bytes: Buffer.byteLength(text) };
  }
}
