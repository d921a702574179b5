import { createHash } from 'node:crypto';
import { type Job, Queue, Worker } from 'bullmq';
import { parseRssFeed } from 'feedsmith';
import type { Redis } from 'ioredis';
import pg from 'pg';
import { Agent, request } from 'undici';
import { addresses, type Contestant, checkFound, type Feeds, newItems, perSecond } from './contest.js';

const QUEUE = 'bare-fetch';
/** Higher concurrency does not make it faster. */
const CONCURRENCY = 20;
const ADDED_BATCH_SIZE = 1_000;
const OPTIONS = { attempts: 3, removeOnComplete: true, removeOnFail: true };

interface DueFeed {
  id: string;
  url: string;
  etag: string | null;
  hash: string | null;
}

/**
 * The minimum that does the work on the same servers: a job for each feed, a conditional request, a hash of the body,
 * a check for unknown ids before parsing, one insert of new items and one update of the schedule. It has no claims,
 * no retries and no sanitising.
 */
export async function withBareLoop<T>(
  { databaseUrl, redis }: { databaseUrl: string; redis: Redis },
  feeds: Feeds,
  work: (bare: Contestant) => Promise<T>,
): Promise<T> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  await createTables(pool, feeds);
  const loop = new BareLoop(pool, redis.duplicate({ maxRetriesPerRequest: null }), feeds);
  try {
    await loop.ready();
    return await work(loop);
  } finally {
    await loop.close();
    await pool.query('DROP TABLE bare_feeds, bare_items');
    await pool.end();
  }
}

class BareLoop implements Contestant {
  private readonly agent = new Agent();
  private readonly queue: Queue<DueFeed>;
  private readonly worker: Worker<DueFeed>;
  private left = 0;
  private found = 0;
  private isFirst = true;
  private finish: () => void = () => undefined;
  private fail: (error: Error) => void = () => undefined;

  constructor(
    private readonly pool: pg.Pool,
    private readonly redis: Redis,
    private readonly feeds: Feeds,
  ) {
    const connection = redis as never;
    this.queue = new Queue(QUEUE, { connection });
    this.worker = new Worker(QUEUE, (job) => this.fetch(job), { connection, concurrency: CONCURRENCY });
    this.worker.on('failed', (_job, error) => this.fail(error));
  }

  async ready(): Promise<void> {
    await Promise.all([this.queue.waitUntilReady(), this.worker.waitUntilReady()]);
  }

  async round(): Promise<number> {
    const { count } = this.feeds;
    this.left = count;
    this.found = 0;
    const done = new Promise<void>((resolve, reject) => {
      this.finish = resolve;
      this.fail = reject;
    });
    const startedAt = performance.now();
    const { rows } = await this.pool.query<DueFeed>('SELECT id, url, etag, hash FROM bare_feeds ORDER BY id');
    for (let from = 0; from < count; from += ADDED_BATCH_SIZE)
      await this.add(rows.slice(from, from + ADDED_BATCH_SIZE));
    await done;
    const rate = perSecond(count, performance.now() - startedAt);
    checkFound(this.found, newItems(count, this.isFirst), 'the bare loop');
    this.isFirst = false;
    return rate;
  }

  private async add(due: DueFeed[]): Promise<void> {
    await this.queue.addBulk(
      due.map((data) => ({ name: QUEUE, data, opts: { ...OPTIONS, jobId: `feed-${data.id}` } })),
    );
  }

  private async fetch({ data }: Job<DueFeed>): Promise<void> {
    const { id, url, etag, hash } = data;
    const headers = etag ? { 'if-none-match': etag } : {};
    const answer = await request(url, { dispatcher: this.agent, headers });
    const body = Buffer.from(await answer.body.arrayBuffer());
    if (answer.statusCode === 304) await this.reschedule(id, { etag, hash });
    else {
      const seen = createHash('sha256').update(body).digest('base64');
      if (seen !== hash) await this.store(id, body.toString());
      await this.reschedule(id, { etag: (answer.headers.etag as string | undefined) ?? null, hash: seen });
    }
    this.left -= 1;
    if (this.left === 0) this.finish();
  }

  private async store(id: string, text: string): Promise<void> {
    const guids = [...text.matchAll(/<guid[^>]*>([^<]+)<\/guid>/g)].map(([, guid]) => guid ?? '');
    const { rows } = await this.pool.query<{ guid: string }>({
      name: 'known',
      text: 'SELECT guid FROM bare_items WHERE feed = $1 AND guid = ANY($2::text[])',
      values: [id, guids],
    });
    const known = new Set(rows.map(({ guid }) => guid));
    const items = itemsOf(text, (guid) => !known.has(guid));
    if (!items.length) return;
    const { rowCount } = await this.pool.query({
      name: 'store',
      text: `INSERT INTO bare_items (feed, guid, title, url, content, author, published_at)
        SELECT $1::bigint, * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[])
        ON CONFLICT DO NOTHING`,
      values: [id, ...columns(items)],
    });
    this.found += rowCount ?? 0;
  }

  private async reschedule(id: string, { etag, hash }: Pick<DueFeed, 'etag' | 'hash'>): Promise<void> {
    await this.pool.query({
      name: 'reschedule',
      text: `UPDATE bare_feeds SET etag = $2, hash = $3, fetched_at = now(), next_at = now() + interval '1 hour' WHERE id = $1`,
      values: [id, etag, hash],
    });
  }

  async close(): Promise<void> {
    await this.worker.close();
    await this.queue.close();
    await this.agent.close();
    this.redis.disconnect();
  }
}

type Item = NonNullable<ReturnType<typeof parseRssFeed>['items']>[number];

/** Parses only the wanted items, within the surrounding document. */
function itemsOf(text: string, isWanted: (guid: string) => boolean): Item[] {
  const kept = text.replace(/<item>.*?<\/item>\s*/gs, (item) => {
    const guid = /<guid[^>]*>([^<]+)<\/guid>/.exec(item)?.[1];
    return guid && isWanted(guid) ? item : '';
  });
  return parseRssFeed(kept).items ?? [];
}

function columns(items: Item[]): unknown[][] {
  return [
    items.map(({ guid }) => guid?.value),
    items.map(({ title }) => title),
    items.map(({ link }) => link),
    items.map(({ description, content }) => content?.encoded ?? description),
    items.map(({ dc, authors }) => dc?.creator ?? authors?.[0]),
    items.map(({ pubDate }) => (pubDate ? new Date(pubDate).toISOString() : null)),
  ];
}

async function createTables(pool: pg.Pool, feeds: Feeds): Promise<void> {
  await pool.query(
    `CREATE TABLE bare_feeds (id bigint PRIMARY KEY, url text NOT NULL, etag text, hash text, fetched_at timestamptz, next_at timestamptz);
     CREATE INDEX ON bare_feeds (next_at);
     CREATE TABLE bare_items (id bigserial PRIMARY KEY, feed bigint NOT NULL, guid text NOT NULL, title text, url text, content text,
       author text, published_at timestamptz, UNIQUE (feed, guid));
     CREATE INDEX ON bare_items (feed, published_at DESC)`,
  );
  const urls = addresses(feeds);
  await pool.query(
    'INSERT INTO bare_feeds (id, url) SELECT number, url FROM unnest($1::text[]) WITH ORDINALITY AS f (url, number)',
    [urls],
  );
}
