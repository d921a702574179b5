import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Fleet } from '../harness/fleet.js';
import { between, each, type Usage, usageOf } from '../harness/usage.js';
import { type Contestant, checkFound, type Feeds, newItems, perSecond } from './contest.js';

/** The followers of a typical source, all of them active. */
const FOLLOWERS = 3;
const POLL_MS = 500;
const STUCK_MS = 60_000;

/** Millrace itself, with all sources made due at once. */
export class OurFetches implements Contestant {
  /** The resources that one fetch of the last round used. */
  cost: Usage | undefined;
  private isFirst = true;

  private constructor(
    private readonly fleet: Fleet,
    private readonly feeds: Feeds,
  ) {}

  static async open(fleet: Fleet, feeds: Feeds): Promise<OurFetches> {
    const { client } = fleet;
    const { site, from, count } = feeds;
    await client.query(
      `INSERT INTO sources (type, external_id, title, followers)
       SELECT 'rss', $1 || '/' || n, 'Feed ' || n, $4 FROM generate_series($2::int, $3::int) AS n ORDER BY n`,
      [site, from, from + count - 1, FOLLOWERS],
    );
    await client.query(
      `INSERT INTO fetch_states (id, type, active_followers, job_state) SELECT id, type, $1, 'idle' FROM sources`,
      [FOLLOWERS],
    );
    await client.query('VACUUM ANALYZE');
    return new OurFetches(fleet, feeds);
  }

  /** Measures from when the scheduler takes the first source to the end of the last fetch. */
  async round(): Promise<number> {
    const { client } = this.fleet;
    const { count } = this.feeds;
    const postsBefore = await countOf(client, 'SELECT count(*) FROM posts');
    const before = await usageOf(this.fleet);
    const { rows } = await client.query<{ now: Date }>('UPDATE fetch_states SET next_fetch_at = now() RETURNING now()');
    await this.allFetched(rows[0]?.now ?? new Date());
    this.cost = each(between(before, await usageOf(this.fleet)), count);
    const { rows: times } = await client.query<{ ms: number }>(
      'SELECT extract(epoch FROM max(last_success_at) - min(job_run_at))::float * 1000 AS ms FROM fetch_states',
    );
    const found = (await countOf(client, 'SELECT count(*) FROM posts')) - postsBefore;
    checkFound(found, newItems(count, this.isFirst), 'Millrace');
    this.isFirst = false;
    return perSecond(count, times[0]?.ms ?? 0);
  }

  private async allFetched(since: Date): Promise<void> {
    const { client } = this.fleet;
    const query = `SELECT count(*) FROM fetch_states WHERE last_success_at > $1 AND job_state = 'done'`;
    let [fetched, progressAt] = [0, Date.now()];
    while (fetched < this.feeds.count) {
      await sleep(POLL_MS);
      const now = await countOf(client, query, [since]);
      if (now > fetched) [fetched, progressAt] = [now, Date.now()];
      if (Date.now() - progressAt > STUCK_MS) throw new Error(`only ${fetched} of ${this.feeds.count} were fetched`);
    }
    // Nothing may become due while other contestants are measured.
    await client.query(`UPDATE fetch_states SET next_fetch_at = now() + interval '1 day'`);
  }
}

async function countOf(client: pg.Client, query: string, values: unknown[] = []): Promise<number> {
  return Number((await client.query<{ count: string }>(query, values)).rows[0]?.count);
}
