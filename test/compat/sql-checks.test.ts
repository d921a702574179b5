import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { testDatabase } from '../harness/database.js';
import { rabbitmqUrl } from '../harness/rabbitmq.js';
import { startPublishing, startWebhook } from '../publishing/publisher.js';
import { company, finding, plugIn, startSearching } from '../scraping/searching.js';

const db = testDatabase();
const rabbitmq = rabbitmqUrl();
const CLIENTS = join(import.meta.dirname, 'clients');
const SQL = join(CLIENTS, 'checks.sql');
const WAIT_OPTIONS = { timeout: 20_000, interval: 50 };

beforeEach(async () => {
  await db.database.pool.query('TRUNCATE scrape_jobs, raw_leads, publications CASCADE');
});

async function run(program: string, args: string[]): Promise<string> {
  const env = { ...process.env, DATABASE_URL: db.url };
  return (await promisify(execFile)(program, args, { env })).stdout;
}

/** The rows that a client without any code of Millrace sees. */
async function check() {
  const lines = (await run(process.execPath, [join(CLIENTS, 'sql_checks.mjs'), SQL])).trim().split('\n');
  const [jobs, leads, posts] = lines.map((line) => JSON.parse(line));
  return { jobs, leads, posts };
}

const findingWhole = (...names: string[]) =>
  finding([], { leads: names.map((name) => ({ ...company(name), raw: { name } })) });

async function startSearches() {
  const scrapers = { first: findingWhole('Acme', 'Beta'), second: findingWhole('Beta', 'Gamma') };
  const searching = await startSearching({ databaseUrl: db.url, rabbitmqUrl: rabbitmq }, scrapers);
  const ann = searching.as(`ann-${randomBytes(4).toString('hex')}`);
  const search = async (...source_types: string[]) => {
    const { id } = await ann.post({ search_query: 'x', source_types });
    await expect.poll(async () => (await ann.job(id)).completed_at, WAIT_OPTIONS).toBeTruthy();
    return ann.job(id);
  };
  return { ...searching, ann, search };
}

const namesOf = (leads: { raw_payload: { name: string } }[]) => leads.map(({ raw_payload }) => raw_payload.name);

describe('the statements of a team', () => {
  it('show the counts of scrape jobs, and the job that found each lead first', async () => {
    const { search } = await startSearches();
    for (const type of ['first', 'second']) await search(type);
    const { jobs, leads } = await check();
    const counts = { total_found: 2, total_processed: 2, status: 'completed' };
    expect(jobs).toMatchObject([
      { ...counts, duplicates: 0, created_at: expect.any(String), completed_at: expect.any(String) },
      { ...counts, duplicates: 1 },
    ]);
    expect(namesOf(leads).toSorted()).toEqual(['Acme', 'Beta', 'Gamma']);
    const ids = leads.map(({ scrape_job_id }: { scrape_job_id: string }) => scrape_job_id);
    expect(new Set(ids.slice(0, 2)).size).toBe(1);
    expect(ids[2]).not.toBe(ids[0]);
    expect(leads[0].scraped_at).toEqual(expect.any(String));
  });

  it('show what was found so far by all sources of a job that runs, and by one that was cancelled', async () => {
    const searching = await startSearches();
    for (const type of ['slow', 'slower'])
      plugIn(searching, type, async function* (_, { signal }) {
        yield company(type);
        await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      });
    const { id } = await searching.ann.post({ search_query: 'x', source_types: ['slow', 'slower'] });
    const counts = { total_found: 2, total_processed: 2, duplicates: 0, completed_at: null };
    await expect.poll(async () => (await check()).jobs, WAIT_OPTIONS).toMatchObject([{ ...counts, status: 'running' }]);
    await searching.ann.send('POST', `/jobs/scrape/${id}/cancel`);
    const ended = { ...counts, status: 'cancelled', completed_at: expect.any(String) };
    expect((await check()).jobs).toMatchObject([ended]);
  });

  it('show publications as posts', async () => {
    const { given } = await startWebhook();
    const ann = (await startPublishing(db.url)).as('ann');
    const { id: accountId } = await ann.account(given);
    const { id } = await ann.publish({ accountId, content: { text: 'Now' }, priority: 'high' });
    const scheduledAt = '2100-01-31T12:00:00.000Z';
    await ann.publish({ accountId, content: { text: 'Later' }, scheduledAt });
    const { platformPostId } = await ann.when(id, 'published');
    expect((await check()).posts).toEqual([
      {
        platform: 'webhook',
        content: 'Now',
        status: 'published',
        priority: 'high',
        scheduled_at: expect.any(String),
        published_at: expect.any(String),
        platform_post_id: platformPostId,
      },
      {
        platform: 'webhook',
        content: 'Later',
        status: 'scheduled',
        priority: 'normal',
        scheduled_at: scheduledAt,
        published_at: null,
        platform_post_id: null,
      },
    ]);
  });

  it.skipIf(!hasPsql())('run in psql as they are', async () => {
    const { search } = await startSearches();
    await search('first', 'second');
    const printed = await run('psql', [db.url, '--csv', '--no-psqlrc', '--file', SQL]);
    const lines = printed.trim().split('\n');
    expect(lines[0]).toBe('total_found,total_processed,duplicates,status,created_at,completed_at');
    expect(lines[1]).toMatch(/^4,4,1,completed,20/);
    expect(lines.filter((line) => /^\d+,"\{""name"/.test(line))).toHaveLength(3);
  });
});

describe('docs/sql.md', () => {
  it('has examples that run, also for a role that may read nothing else', async () => {
    const page = await readFile(join(import.meta.dirname, '../../docs/sql.md'), 'utf8');
    const examples = [...page.matchAll(/^```sql\n(.*?)^```/gms)].map(([, sql = '']) => sql);
    const role = `analyst_${randomBytes(4).toString('hex')}`;
    const client = await db.database.pool.connect();
    onTestFinished(async () => {
      await client.query(`RESET ROLE; DROP OWNED BY ${role}; DROP ROLE ${role}`);
      client.release();
    });
    const [grants = '', ...queries] = examples;
    await client.query(grants.replaceAll('analyst', role));
    await client.query(`SET ROLE ${role}`);
    expect(queries.length).toBeGreaterThan(2);
    for (const sql of queries) await client.query(sql);
    await expect(client.query('SELECT credentials FROM accounts')).rejects.toThrow('permission denied');
  });
});

function hasPsql(): boolean {
  try {
    execFileSync('psql', ['--version']);
    return true;
  } catch {
    return false;
  }
}
