import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { rabbitmqUrl } from '../../../test/harness/rabbitmq.js';
import { company, plugIn, refusing, type Search, startSearching } from '../../../test/scraping/searching.js';
import { Database } from '../../platform/database/database.js';
import { GiveUp } from '../../platform/jobs/outcomes.js';
import { Sweep } from '../../platform/jobs/sweep.js';
import type { FoundLead } from '../leads/lead.js';
import { ScrapeFailure, type Scraper, type ScraperTools } from '../scraper.js';

const WAIT_OPTIONS = { timeout: 15_000, interval: 50 };
const never = new Promise<never>(() => undefined);

const showing = (...names: string[]) =>
  async function* (): AsyncGenerator<FoundLead> {
    yield* names.map(company);
  };

const failing = (failure: () => Error) =>
  async function* (): AsyncGenerator<FoundLead> {
    yield* [];
    throw failure();
  };

/** Yields one company, then waits until it is aborted. */
async function* waiting(_: unknown, { signal }: ScraperTools): AsyncGenerator<FoundLead> {
  yield company('Acme');
  await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

describe('a search', () => {
  const db = testDatabase();
  const rabbitmq = rabbitmqUrl();
  let users = 0;

  async function start(places: Record<string, Scraper['scrape']>, config = {}, workers: Record<string, Search> = {}) {
    const servers = { databaseUrl: db.url, rabbitmqUrl: rabbitmq };
    const searching = await startSearching(servers, workers, { shutdownMs: 1_000, ...config });
    for (const [type, scrape] of Object.entries(places)) plugIn(searching, type, scrape);
    const ann = searching.as(`searcher-${++users}`);
    const search = async (...source_types: string[]): Promise<string> =>
      (await ann.post({ search_query: 'x', source_types })).id;
    const ended = async (id: string) => {
      await expect.poll(async () => (await ann.job(id)).completed_at, WAIT_OPTIONS).toBeTruthy();
      return ann.job(id);
    };
    const replay = (partOf: string) => replayDead(searching, partOf);
    return { ...searching, ann, search, ended, replay };
  }

  /** Replays the dead letters of a job's parts. */
  async function replayDead({ app, send, adminKey: key }: Awaited<ReturnType<typeof startSearching>>, jobId: string) {
    const { rows } = await app.get(Database).db.execute<{ id: string }>(sql`
      SELECT dead_letters.id FROM dead_letters JOIN scrape_parts ON scrape_parts.id::text = subject
      JOIN scrape_jobs ON scrape_jobs.id = scrape_job_id WHERE queue = 'scrape' AND state = 'open' AND job_id = ${jobId}`);
    for (const { id } of rows) await send({ method: 'POST', url: `/api/v1/dead-letters/${id}/replay`, key });
    return rows.length;
  }

  it('ends when its time is up, although the scraper ignores its signal', async () => {
    const { search, ended } = await start(
      {
        deaf: async function* () {
          yield company('Acme');
          await never;
        },
        quick: showing('Quick'),
      },
      { scrapeTimeoutMs: 1_000, scrapeConcurrency: 1 },
    );
    const [id, next] = [await search('deaf'), await search('quick')];
    expect(await ended(id)).toMatchObject({
      status: 'failed',
      total_found: 1,
      error: expect.stringContaining('not done within 1 seconds'),
    });
    expect(await ended(next)).toMatchObject({ status: 'completed' });
  });

  it('ends when it has found enough, although the scraper never comes to an end', async () => {
    const { search, ended } = await start(
      {
        messy: async function* () {
          try {
            for (let n = 0; n < 1_000_000; n++) yield company(`Company ${n}`);
          } finally {
            await never;
          }
        },
      },
      { scrapeMostLeads: 60 },
    );
    expect(await ended(await search('messy'))).toMatchObject({ status: 'completed', total_found: 60 });
  });

  it('has not found all when its time is up, although the scraper just ends then', async () => {
    const { search, ended } = await start(
      {
        async *obedient(_: unknown, { signal }: ScraperTools) {
          yield company('Acme');
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
        },
      },
      { scrapeTimeoutMs: 1_000 },
    );
    expect(await ended(await search('obedient'))).toMatchObject({ status: 'failed', total_found: 1 });
  });

  it('lets the next one start at once when it is cancelled', async () => {
    const { search, ended, ann } = await start({ waiting, quick: showing('Quick') }, { scrapeConcurrency: 1 });
    const [id, next] = [await search('waiting'), await search('quick')];
    await expect.poll(async () => (await ann.job(id)).total_found, WAIT_OPTIONS).toBe(1);
    const cancel = () => ann.send('POST', `/jobs/scrape/${id}/cancel`);
    const answers = await Promise.all([cancel(), cancel(), cancel()]);
    expect(answers.map(({ status, body }) => [status, body.status])).toEqual(answers.map(() => [200, 'cancelled']));
    expect(await ended(next)).toMatchObject({ status: 'completed' });
  });

  it('also does so if the process missed the cancellation', async () => {
    const { search, ended, ann, app } = await start({ waiting, quick: showing('Quick') }, { scrapeConcurrency: 1 });
    const [id, next] = [await search('waiting'), await search('quick')];
    await expect.poll(async () => (await ann.job(id)).total_found, WAIT_OPTIONS).toBe(1);
    const tell = (query: ReturnType<typeof sql>) => app.get(Database).db.execute(query);
    await tell(sql`WITH job AS (UPDATE scrape_jobs SET status = 'cancelled' WHERE job_id = ${id} RETURNING id)
      UPDATE scrape_parts SET status = 'cancelled', job_state = 'done' FROM job WHERE scrape_job_id = job.id`);
    await tell(sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'millrace-events' AND datname = current_database()`);
    expect(await ended(next)).toMatchObject({ status: 'completed' });
  });

  it('waits before it asks a place again that only says "later", and costs no attempt', async () => {
    let asked = 0;
    const { search, ann } = await start({
      busy: failing(() => {
        asked += 1;
        return new ScrapeFailure('too many requests', { until: new Date() });
      }),
    });
    const id = await search('busy');
    await expect.poll(() => asked, WAIT_OPTIONS).toBe(1);
    await sleep(2_000);
    expect([asked, (await ann.job(id)).status]).toEqual([1, 'running']);
    await ann.send('POST', `/jobs/scrape/${id}/cancel`);
  });

  it('tells when a place wants to be asked again, if that is too late', async () => {
    const until = new Date(Date.now() + 86_400_000);
    const exhausted = failing(() => new ScrapeFailure('no more requests today', { until, retryable: true }));
    const { search, ended } = await start({ exhausted });
    const error = `exhausted: no more requests today; it wants to be left alone until ${until.toISOString()}`;
    expect(await ended(await search('exhausted'))).toMatchObject({ status: 'failed', error });
  });

  it('tells a reason that could not be stored as it is', async () => {
    const rude = refusing({ code: 'AUTH_ERROR', message: 'n\u0000ever' });
    const { search, ended } = await start({}, {}, { rude });
    expect(await ended(await search('rude'))).toMatchObject({ status: 'failed', error: 'rude: never' });
  });

  it('tells what is missing when its place cannot be searched here any more', async () => {
    const { search, ended, app } = await start({ moving: showing('Acme') }, { scrapeConcurrency: 1 });
    const id = await search('moving');
    await ended(id);
    await app.get(Database).db.execute(sql`WITH job AS (SELECT id FROM scrape_jobs WHERE job_id = ${id})
      UPDATE scrape_parts SET status = 'queued', source_type = 'myspace', job_state = 'waiting', job_run = 2,
        job_sweep_at = now() - interval '1 second', completed_at = NULL FROM job WHERE scrape_job_id = job.id`);
    await app.get(Sweep).run();
    await expect.poll(async () => (await ended(id)).error, WAIT_OPTIONS).toContain('"myspace" is not known here');
  });

  it('counts a company that its place shows twice as a duplicate', async () => {
    const { search, ended } = await start({ twice: showing('Acme', 'Bolt', 'Acme') });
    expect(await ended(await search('twice'))).toMatchObject({ total_found: 3, total_processed: 3, duplicates: 1 });
  });

  it('counts each company as new once, however many find it at the same time', async () => {
    // All but the first are stored in one statement.
    const names = Array.from({ length: 26 }, (_, n) => `Company ${n}`);
    const places = { forth: showing(...names), back: showing(...names.toReversed()) };
    const { search, ended, lines } = await start(places, { scrapeConcurrency: 8 });
    const ids = await Promise.all(Array.from({ length: 10 }, () => search('forth', 'back')));
    const jobs: Awaited<ReturnType<typeof ended>>[] = [];
    for (const id of ids) jobs.push(await ended(id));
    expect(jobs.map(({ status, total_processed }) => [status, total_processed])).toEqual(
      jobs.map(() => ['completed', 52]),
    );
    expect(jobs.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(10 * 52 - 26);
    expect(lines.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  });

  it('runs again when its dead letter is replayed, and the status of its job follows from its parts', async () => {
    let dies = true;
    const { search, ended, replay, ann } = await start({
      async *frail() {
        yield company('Acme');
        if (dies) throw new GiveUp('a mistake of ours');
        yield company('Bolt');
      },
      fine: showing('Dawn'),
    });
    const id = await search('frail', 'fine');
    expect(await ended(id)).toMatchObject({ status: 'partial', error: expect.stringContaining('Millrace itself') });
    dies = false;
    expect(await replay(id)).toBe(1);
    await expect.poll(async () => (await ann.job(id)).status, WAIT_OPTIONS).toBe('completed');
    expect(await ann.job(id)).toMatchObject({ error: null, total_found: 3, total_processed: 3, duplicates: 0 });
  });

  it('does not run again if its job was cancelled', async () => {
    let asked = 0;
    const { search, replay, ann } = await start({
      frail: failing(() => {
        asked += 1;
        return new GiveUp('a mistake of ours');
      }),
      waiting,
    });
    const id = await search('frail', 'waiting');
    const frail = async () => (await ann.job(id)).by_source[0].status;
    await expect.poll(frail, WAIT_OPTIONS).toBe('failed');
    await ann.send('POST', `/jobs/scrape/${id}/cancel`);
    expect(await replay(id)).toBe(1);
    await expect.poll(frail, WAIT_OPTIONS).toBe('cancelled');
    expect([asked, (await ann.job(id)).status]).toEqual([1, 'cancelled']);
  });
});
