import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { request } from 'undici';
import { findFreePort } from '../../src/platform/database/embedded/free-port.js';
import { processServer } from '../../test/harness/servers/process-server.js';
import { readyServer } from '../../test/harness/servers/ready-server.js';
import { addresses, checkFound, type Feeds, newItems, perSecond } from '../fetch/contest.js';
import { withRunFolder } from '../harness/servers.js';
import { between, each, type Usage, usageOf } from '../harness/usage.js';
import { CONCURRENCY, PAGE_SIZE, type Page, type Reader } from './reader.js';

const POLL_MS = 200;
const STUCK_MS = 120_000;
const ADMIN = { name: 'bench', password: 'a-password-for-benchmarks-only' };
/** Only the benchmark makes feeds due, and no warning or cleanup costs time. */
const SETTINGS = {
  RUN_MIGRATIONS: '1',
  CREATE_ADMIN: '1',
  ADMIN_USERNAME: ADMIN.name,
  ADMIN_PASSWORD: ADMIN.password,
  LOG_LEVEL: 'warning',
  WORKER_POOL_SIZE: String(CONCURRENCY),
  POLLING_FREQUENCY: '1440',
  POLLING_PARSING_ERROR_LIMIT: '0',
  // Versions from 2.2.17 on need this for feeds on the same machine. Older ones ignore it.
  FETCHER_ALLOW_PRIVATE_NETWORKS: '1',
};

/** Returns the path of the program, from `MINIFLUX` or from the PATH. */
export function findMiniflux(): string | undefined {
  const given = process.env.MINIFLUX;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = given ? [resolve(given)] : folders.map((folder) => join(folder, 'miniflux'));
  return candidates.find((path) => existsSync(path));
}

export interface MinifluxOptions {
  program: string;
  /** An empty database. */
  databaseUrl: string;
  feeds: Feeds;
}

/** Runs work with Miniflux, which has one user who follows the feeds. */
export async function withMiniflux<T>(options: MinifluxOptions, work: (reader: Reader) => Promise<T>): Promise<T> {
  const { program, databaseUrl, feeds } = options;
  return withRunFolder(async (folder) => {
    const port = await findFreePort();
    const env = { ...SETTINGS, DATABASE_URL: `${databaseUrl}?sslmode=disable`, LISTEN_ADDR: `127.0.0.1:${port}` };
    const server = processServer({ folder, name: 'miniflux', command: program, args: [], env });
    await readyServer(server, { port, say: 'GET /healthcheck HTTP/1.0\r\n\r\n', hear: 'HTTP/1.0 200' }).start();
    const pid = Number(readFileSync(join(folder, 'miniflux.pid'), 'utf8'));
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      const reader = new Miniflux({ pid, client, address: `http://127.0.0.1:${port}` }, feeds);
      await reader.follow();
      return await work(reader);
    } finally {
      await client.end();
      await server.kill();
    }
  });
}

interface Running {
  pid: number;
  client: pg.Client;
  address: string;
}

class Miniflux implements Reader {
  readonly name = 'Miniflux';
  readonly programs: Record<string, number>;
  readonly pid: number;
  readonly client: pg.Client;
  cost: Usage | undefined;
  private isFirst = true;
  private readonly token = randomBytes(16).toString('hex');

  constructor(
    private readonly running: Running,
    private readonly feeds: Feeds,
  ) {
    this.pid = running.pid;
    this.client = running.client;
    this.programs = { miniflux: running.pid };
  }

  /** An imported list is not fetched, unlike a feed that is added by its address. */
  async follow(): Promise<void> {
    await this.client.query(
      `INSERT INTO api_keys (user_id, token, description) SELECT id, $1, 'bench' FROM users WHERE username = $2`,
      [this.token, ADMIN.name],
    );
    const outlines = addresses(this.feeds).map((url) => `<outline type="rss" text="${url}" xmlUrl="${url}"/>`);
    await this.ask('POST', '/v1/import', `<opml version="2.0"><body>${outlines.join('')}</body></opml>`);
    await this.client.query(`INSERT INTO icons (hash, mime_type, content) VALUES ('bench', 'image/png', '')`);
    // Miniflux would look for the icons of sites that do not exist, which is not part of the comparison.
    await this.client.query('INSERT INTO feed_icons (feed_id, icon_id) SELECT feeds.id, icons.id FROM feeds, icons');
    await this.client.query('VACUUM ANALYZE');
  }

  async round(): Promise<number> {
    const { count } = this.feeds;
    const entriesBefore = await this.entries();
    const before = await usageOf(this);
    const { rows } = await this.client.query<{ now: Date }>('UPDATE feeds SET next_check_at = now() RETURNING now()');
    const startedAt = performance.now();
    await this.ask('PUT', '/v1/feeds/refresh');
    await this.allFetched(rows[0]?.now ?? new Date());
    const rate = perSecond(count, performance.now() - startedAt);
    this.cost = each(between(before, await usageOf(this)), count);
    checkFound((await this.entries()) - entriesBefore, newItems(count, this.isFirst), this.name);
    this.isFirst = false;
    return rate;
  }

  /** A feed is updated at the end of its fetch. */
  private async allFetched(since: Date): Promise<void> {
    const query = `SELECT count(*)::int AS fetched, coalesce(sum(parsing_error_count), 0)::int AS errors
      FROM feeds WHERE checked_at > $1`;
    let [fetched, progressAt] = [0, Date.now()];
    while (fetched < this.feeds.count) {
      await sleep(POLL_MS);
      const { rows } = await this.client.query<{ fetched: number; errors: number }>(query, [since]);
      const now = rows[0] ?? { fetched: 0, errors: 0 };
      if (now.errors) throw new Error(`Miniflux could not fetch ${now.errors} feeds`);
      if (now.fetched > fetched) [fetched, progressAt] = [now.fetched, Date.now()];
      if (Date.now() - progressAt > STUCK_MS) throw new Error(`only ${fetched} of ${this.feeds.count} were fetched`);
    }
  }

  async entries(): Promise<number> {
    const { rows } = await this.client.query<{ count: number }>('SELECT count(*)::int FROM entries');
    return rows[0]?.count ?? 0;
  }

  async unreadPage(): Promise<Page> {
    const path = `/v1/entries?status=unread&order=published_at&direction=desc&limit=${PAGE_SIZE}`;
    const text = await this.ask('GET', path);
    const { entries } = JSON.parse(text) as { entries: unknown[] };
    return { entries: entries.length, bytes: Buffer.byteLength(text) };
  }

  private async ask(method: 'GET' | 'POST' | 'PUT', path: string, body?: string): Promise<string> {
    const headers = { 'x-auth-token': this.token };
    const answer = await request(`${this.running.address}${path}`, { method, headers, ...(body && { body }) });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${path} was answered with ${answer.statusCode}: ${text}`);
    return text;
  }
}
