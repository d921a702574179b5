import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { EventSource } from '../../../test/feeds/event-source.js';
import { testDatabase } from '../../../test/harness/database.js';
import { rabbitmqUrl } from '../../../test/harness/rabbitmq.js';
import { finding, refusing, type Search, startSearching } from '../../../test/scraping/searching.js';
import { Database } from '../../platform/database/database.js';
import { Sweep } from '../../platform/jobs/sweep.js';
import { ScrapeJobsStore } from './scrape-jobs.store.js';

const WAIT_OPTIONS = { timeout: 25_000, interval: 100 };

describe('a scrape job', () => {
  const db = testDatabase();
  const rabbitmq = rabbitmqUrl();
  let users = 0;

  async function start(scrapers: Record<string, Search>, config = {}) {
    const searching = await startSearching({ databaseUrl: db.url, rabbitmqUrl: rabbitmq }, scrapers, config);
    const ann = searching.as(`user-${++users}`);
    const ended = async (id: string) => {
      await expect.poll(async () => (await ann.job(id)).completed_at, WAIT_OPTIONS).toBeTruthy();
      return ann.job(id);
    };
    return { ...searching, ann, ended };
  }

  it('is stored, searched at once, and ends with what was found', async () => {
    const { ann, ended, workers } = await start({ alpha: finding(['Acme', 'Bolt', 'Core']) });
    const criteria = { industry: 'tools', geography: 'Berlin', search_query: 'hammers', filters: { size: 'large' } };
    const job = await ann.post(criteria);
    expect(job).toMatchObject({ ...criteria, status: 'queued', total_found: 0, source_types: ['alpha'], keywords: [] });
    expect(await ended(job.id)).toMatchObject({
      status: 'completed',
      total_found: 3,
      total_processed: 3,
      duplicates: 0,
      error: null,
      by_source: [{ source_type: 'alpha', status: 'completed', found: 3, processed: 3, duplicates: 0, error: null }],
    });
    expect(workers.get('alpha')?.commands).toMatchObject([
      { sourceType: 'alpha', params: { industry: 'tools', geography: 'Berlin', searchQuery: 'hammers', keywords: [] } },
    ]);
    const { body } = await ann.send('GET', `/jobs/scrape/${job.id}/leads?limit=2`);
    expect(body.items).toMatchObject([
      { name: expect.any(String), domain: expect.stringContaining('-inc.com'), source_type: 'alpha', emails: [] },
      {},
    ]);
    expect(body.nextCursor).toBeTruthy();
    expect((await ann.names(job.id)).toSorted()).toEqual(['Acme', 'Bolt', 'Core']);
    expect(await ann.names(job.id, '?q=bol')).toEqual(['Bolt']);
  });

  it('keeps what the other source types found when one refuses, one is slow, and one shows the same companies', async () => {
    let release: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { ann, ended } = await start({
      first: finding(['Acme', 'Bolt']),
      same: async (command) => {
        await slow;
        return finding(['Acme', 'Bolt', 'Dawn'])(command);
      },
      refuses: refusing({ code: 'AUTH_ERROR', message: 'the key was revoked' }),
      slow: async (command) => {
        await slow;
        return finding(['Edge'])(command);
      },
      empty: finding([]),
    });
    const { id } = await ann.post({ search_query: 'companies' });
    await expect.poll(async () => (await ann.job(id)).total_found, WAIT_OPTIONS).toBe(2);
    expect(await ann.job(id)).toMatchObject({ status: 'running', completed_at: null, started_at: expect.any(String) });
    release();
    const job = await ended(id);
    expect(job).toMatchObject({
      status: 'partial',
      total_found: 6,
      total_processed: 6,
      duplicates: 2,
      error: 'refuses: the key was revoked',
    });
    const outcome = Object.fromEntries(job.by_source.map((one: { source_type: string }) => [one.source_type, one]));
    expect(outcome).toMatchObject({
      first: { status: 'completed', found: 2, duplicates: 0 },
      same: { status: 'completed', found: 3, duplicates: 2 },
      refuses: { status: 'failed', found: 0, error: 'the key was revoked' },
      slow: { status: 'completed', found: 1 },
      empty: { status: 'completed', found: 0 },
    });
    expect((await ann.names(id)).toSorted()).toEqual(['Acme', 'Bolt', 'Dawn', 'Edge']);
  });

  it('is summed up in one line of the log when it ends, by one of the processes', async () => {
    const scrapers = {
      first: finding(['Acme', 'Bolt']),
      refuses: refusing({ code: 'AUTH_ERROR', message: 'the key was revoked' }),
    };
    const [one, other] = [await start(scrapers), await start(scrapers)];
    const { id } = await one.ann.post({ search_query: 'companies' });
    const lines = () => [...one.lines, ...other.lines].filter(({ event }) => event === 'scrape_job_ended');
    await expect.poll(lines, WAIT_OPTIONS).toHaveLength(1);
    const [ms, zero] = [expect.any(Number), { found: 0, stored: 0, duplicates: 0 }];
    expect(lines()).toMatchObject([
      {
        level: 30,
        jobId: id,
        status: 'partial',
        found: 2,
        stored: 2,
        duplicates: 0,
        ms,
        bySource: [
          { type: 'first', status: 'completed', found: 2, stored: 2, duplicates: 0, ms },
          { type: 'refuses', status: 'failed', ...zero, ms, error: 'the key was revoked' },
        ],
      },
    ]);
    await one.ended(id);
    const { body } = await one.ann.send('POST', `/jobs/scrape/${id}/rerun`);
    await one.ended(body.id);
    await expect.poll(lines, WAIT_OPTIONS).toHaveLength(2);
    const again = lines().find(({ jobId }) => jobId === body.id);
    expect(again).toMatchObject({ found: 2, stored: 0, duplicates: 2 });
  });

  it('is tried three times by the queue, keeps what it found before it failed, and counts nothing twice', async () => {
    const { ann, ended, workers } = await start({
      shaky: (command) =>
        command.params.cursor
          ? refusing({ code: 'NETWORK_ERROR', message: 'the site is down' })(command)
          : finding(['Acme', 'Bolt'], { hasMore: true, nextCursor: 'page-2' })(command),
    });
    const { id } = await ann.post({ search_query: 'companies' });
    expect(await ended(id)).toMatchObject({
      status: 'failed',
      total_found: 2,
      total_processed: 2,
      duplicates: 0,
      error: 'shaky: the site is down',
    });
    expect(workers.get('shaky')?.commands.map(({ params }) => params.cursor)).toEqual([
      undefined,
      'page-2',
      undefined,
      'page-2',
      undefined,
      'page-2',
    ]);
    expect((await ann.names(id)).toSorted()).toEqual(['Acme', 'Bolt']);
  });

  it('filters by keywords, and tells how many met none', async () => {
    const { ann, ended } = await start({ alpha: finding(['Green Tools', 'Red Tools', 'Blue Sky']) });
    const { id } = await ann.post({ search_query: 'x', keywords: ['green', 'blue'] });
    expect(await ended(id)).toMatchObject({ status: 'completed', total_found: 3, total_processed: 2 });
    expect((await ann.names(id)).toSorted()).toEqual(['Blue Sky', 'Green Tools']);
  });

  it('finds a company a second time as a duplicate, which is linked and not stored again', async () => {
    const { ann, ended, as } = await start({ alpha: finding(['Acme', 'Bolt']) });
    const first = await ended((await ann.post({ search_query: 'x' })).id);
    const { status, body } = await ann.send('POST', `/jobs/scrape/${first.id}/rerun`);
    expect([status, body.rerun_of, body.search_query]).toEqual([202, first.id, 'x']);
    expect(await ended(body.id)).toMatchObject({ status: 'completed', total_found: 2, duplicates: 2 });
    expect(await ann.names(body.id)).toHaveLength(2);
    expect(await ann.names(body.id, '?duplicates=false')).toEqual([]);
    expect((await ann.send('GET', '/leads')).body.items).toHaveLength(2);

    const other = as(`user-${++users}`);
    const { id } = await other.post({ search_query: 'x' });
    await expect.poll(async () => (await other.job(id)).status, WAIT_OPTIONS).toBe('completed');
    expect(await other.job(id)).toMatchObject({ total_found: 2, duplicates: 0 });
    expect((await other.send('GET', `/jobs/scrape/${first.id}`)).status).toBe(404);
    expect((await other.send('GET', `/jobs/scrape/${first.id}/leads`)).status).toBe(404);
  });

  it('is one job however often it is posted under one key', async () => {
    const { ann, ended } = await start({ alpha: finding([]) });
    const post = (query: string) =>
      ann.send('POST', '/jobs/scrape', { search_query: query, source_types: ['alpha'] }, { 'idempotency-key': 'k1' });
    const answers = await Promise.all([post('x'), post('x'), post('x')]);
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    await ended(answers[0].body.id);
    expect((await post('y')).body).toMatchObject({ status: 409, code: 'idempotency_key_reused' });
    const bad = await ann.send(
      'POST',
      '/jobs/scrape',
      { search_query: 'x', source_types: ['alpha'] },
      { 'idempotency-key': 'two words' },
    );
    expect(bad.body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'Idempotency-Key' }] });
  });

  it('stops when it is cancelled: nobody searches on, and nothing more is stored', async () => {
    let asked = 0;
    const { ann } = await start({
      endless: async (command) => {
        asked += 1;
        await sleep(100);
        return finding([`Company ${asked}`], { hasMore: true, nextCursor: `${asked}` })(command);
      },
    });
    const { id } = await ann.post({ search_query: 'x' });
    await expect.poll(async () => (await ann.job(id)).total_found, WAIT_OPTIONS).toBeGreaterThan(0);
    const { status, body } = await ann.send('POST', `/jobs/scrape/${id}/cancel`);
    expect([status, body.status, body.by_source[0].status]).toEqual([200, 'cancelled', 'cancelled']);
    await sleep(300);
    const then = asked;
    const found = (await ann.job(id)).total_found;
    await sleep(600);
    expect(asked).toBe(then);
    expect(await ann.job(id)).toMatchObject({ status: 'cancelled', total_found: found });
    expect((await ann.send('POST', `/jobs/scrape/${id}/cancel`)).status).toBe(200);
  });

  it('cannot be cancelled when it has ended', async () => {
    const { ann, ended } = await start({ alpha: finding([]) });
    const { id } = await ended((await ann.post({ search_query: 'x' })).id);
    expect((await ann.send('POST', `/jobs/scrape/${id}/cancel`)).body).toMatchObject({
      status: 409,
      code: 'already_ended',
    });
  });

  it('runs although Millrace died between storing and enqueueing it', async () => {
    const { ann, app } = await start({ alpha: finding(['Acme']) });
    const { id: sample } = await ann.post({ search_query: 'first' });
    const store = app.get(ScrapeJobsStore);
    const [{ user_id }] = (
      await app
        .get(Database)
        .db.execute<{ user_id: string }>(sql`SELECT user_id FROM scrape_jobs WHERE job_id = ${sample}`)
    ).rows as [{ user_id: string }];
    const criteria = { keywords: [], source_types: ['alpha'], search_query: 'x', filters: {} };
    await store.insert({ jobId: 'orphan', userId: user_id, industry: undefined, geography: undefined, ...criteria });
    await app.get(Database).db.execute(sql`UPDATE scrape_parts SET job_sweep_at = now() - interval '1 second'`);
    await app.get(Sweep).run();
    await expect.poll(async () => (await ann.job('orphan')).status, WAIT_OPTIONS).toBe('completed');
  });

  it('can be watched while it runs, until it ends', async () => {
    let release: () => void = () => undefined;
    const more = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { ann, app, adminKey } = await start({
      alpha: async (command) => {
        if (!command.params.cursor) return finding(['Acme'], { hasMore: true, nextCursor: '2' })(command);
        await more;
        return finding(['Bolt'])(command);
      },
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { id } = await ann.post({ search_query: 'x' });
    const headers = { authorization: `Bearer ${adminKey}`, 'x-millrace-user': `user-${users}` };
    const stream = await EventSource.open(`${await app.getUrl()}/api/v1/jobs/scrape/${id}/stream`, headers);
    const seen = () => stream.told.map(({ event, data }) => `${event} ${data.status} ${data.total_found}`);
    await expect.poll(seen, WAIT_OPTIONS).toContain('job running 1');
    release();
    await expect.poll(() => stream.ended, WAIT_OPTIONS).toBe(true);
    expect(seen().at(-1)).toBe('job completed 2');
    const late = await EventSource.open(`${await app.getUrl()}/api/v1/jobs/scrape/${id}/stream`, headers);
    await expect.poll(() => late.ended, WAIT_OPTIONS).toBe(true);
    expect(late.told).toMatchObject([{ event: 'job', data: { status: 'completed' } }]);
  });

  it.each<[string, object, string]>([
    ['an unknown source type', { source_types: ['myspace'], search_query: 'x' }, 'source_types.0'],
    ['no source type', { source_types: [], search_query: 'x' }, 'source_types'],
    ['no criteria', { source_types: ['alpha'] }, 'search_query'],
    ['10,000 keywords', { source_types: ['alpha'], keywords: Array(10_000).fill('k') }, 'keywords'],
    ['a source type whose key is missing', { source_types: ['alpha', 'google'], search_query: 'x' }, 'source_types.1'],
    ['a field that is not known', { source_types: ['alpha'], search_query: 'x', colour: 'red' }, 'colour'],
    ['NUL in a text', { source_types: ['alpha'], search_query: 'a\u0000b' }, 'search_query'],
  ])('is refused with %s, and the field is named', async (_, body, path) => {
    const { ann } = await start({ alpha: finding([]) });
    const answer = await ann.send('POST', '/jobs/scrape', body);
    expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([400, path]);
  });

  it('says what to set for a web search', async () => {
    const { ann } = await start({ alpha: finding([]) });
    const { body } = await ann.send('POST', '/jobs/scrape', { source_types: ['google'], search_query: 'x' });
    expect(body.errors[0].message).toBe(
      '"google" cannot be searched here: MILLRACE_SEARCH_URL (the address of a SearXNG server), ' +
        'or MILLRACE_SEARCH_PROVIDER with MILLRACE_SEARCH_KEY, must be set',
    );
  });

  it('reports the filters that a source cannot apply', async () => {
    const { ann } = await start({ alpha: finding([]) }, { searchUrl: 'http://127.0.0.1:1/' });
    const filters = { company_size: '11-50', country: 'de', language: null, revenue: '1M+' };
    const { body } = await ann.send('POST', '/jobs/scrape', {
      source_types: ['alpha', 'linkedin'],
      search_query: 'x',
      filters,
    });
    expect(body.by_source).toMatchObject([
      { source_type: 'alpha', ignored_filters: [] },
      { source_type: 'linkedin', ignored_filters: ['company_size', 'revenue'] },
    ]);
  });

  it('is given up after its time, with what was found until then', async () => {
    const { ann, ended } = await start(
      {
        endless: async (command) => {
          await sleep(200);
          return finding([`C ${Math.random()}`], { hasMore: true, nextCursor: `${Math.random()}` })(command);
        },
      },
      { scrapeTimeoutMs: 1_500 },
    );
    const job = await ended((await ann.post({ search_query: 'x' })).id);
    expect(job).toMatchObject({ status: 'failed', error: expect.stringContaining('not done within 1.5 seconds') });
    expect(job.total_found).toBeGreaterThan(0);
  });

  it('brings no more leads than allowed', async () => {
    const { ann, ended } = await start(
      { alpha: finding(Array.from({ length: 40 }, (_, n) => `Company ${n}`)) },
      { scrapeMostLeads: 30 },
    );
    expect(await ended((await ann.post({ search_query: 'x' })).id)).toMatchObject({
      status: 'completed',
      total_found: 30,
    });
  });

  it('can be downloaded as CSV and as JSON lines', async () => {
    const { ann, ended } = await start({ alpha: finding(['Acme', '=cmd|calc']) });
    const { id } = await ended((await ann.post({ search_query: 'x' })).id);
    const csv = await ann.send('GET', `/jobs/scrape/${id}/leads?format=csv`);
    expect(csv.headers).toMatchObject({
      'content-type': expect.stringContaining('text/csv'),
      'content-disposition': 'attachment; filename="leads.csv"',
    });
    expect(csv.body.split('\r\n')[0]).toBe(
      'id,name,domain,emails,phones,address,country,description,url,source_type,scraped_at',
    );
    expect(csv.body).toContain("'=cmd|calc");
    const lines = (await ann.send('GET', `/jobs/scrape/${id}/leads?format=jsonl`)).body.trim().split('\n');
    expect(lines.map((line: string) => JSON.parse(line).name).toSorted()).toEqual(['=cmd|calc', 'Acme']);
  });
});
