import pg from 'pg';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { rabbitmqUrl } from '../../../test/harness/rabbitmq.js';
import { lineTo } from '../../../test/scraping/cut-line.js';
import { eventually, newSender, startIntake } from '../../../test/scraping/intake.js';
import type { Config } from '../../platform/config.js';
import { scrapeJobs } from '../jobs/scrape-jobs.table.js';

const given = testDatabase();
const broker = rabbitmqUrl();

const CRITERIA = { industry: 'mills', keywords: ['water'], filters: { size: 5 }, source_types: ['google', 'our-list'] };

async function ready(config: Partial<Config> = {}, url = broker) {
  const off = { scrapeIntake: 'off', ...config } as const;
  const millrace = await startIntake({ databaseUrl: given.url, rabbitmqUrl: url }, off);
  const { connection, waiting } = newSender(broker);
  const post = async (): Promise<string> => (await millrace.ask('POST', '/jobs/scrape', 'ann', CRITERIA)).body.id;
  const becomes = (id: string, expected: object) =>
    eventually(async () => {
      expect((await millrace.ask('GET', `/jobs/scrape/${id}`, 'ann')).body).toMatchObject(expected);
    });
  const published = async () => {
    await eventually(async () => expect(await waiting('scrape_jobs')).toBeGreaterThan(0));
    const message = await connection.basicGet({ queue: 'scrape_jobs', noAck: true });
    return { ...message, body: message?.body };
  };
  return { ...millrace, connection, waiting, post, becomes, published };
}

/** Ends the transactions that wait for the test's own. */
const KILL_BLOCKED = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`;

beforeEach(async () => {
  const { connection } = newSender(broker);
  await connection.queuePurge('scrape_jobs').catch(() => undefined);
});

describe('a scrape job for an external worker', () => {
  it('is published once, persistent, with every field of the message', async () => {
    const { post, published, waiting, becomes, connection } = await ready();
    const id = await post();
    expect(await published()).toMatchObject({
      durable: true,
      contentType: 'application/json',
      messageId: id,
      replyTo: 'scrape_results',
      body: {
        schema_version: 1,
        job_id: id,
        user_id: 'ann',
        industry: 'mills',
        geography: null,
        keywords: ['water'],
        source_types: ['google', 'our-list'],
        search_query: null,
        filters: { size: 5 },
      },
    });
    await becomes(id, { status: 'queued', error: null });
    // Both parts have run by the time that both know how long to wait.
    await eventually(async () => expect(await unpublished()).toEqual([]));
    expect(await waiting('scrape_jobs')).toBe(0);
    expect(await connection.queueDeclare({ queue: 'scrape_jobs', passive: true })).toMatchObject({ consumerCount: 0 });
  });

  it('waits while RabbitMQ is away, says so, and is published when it is back', async () => {
    const line = await lineTo(broker);
    const { post, becomes, published } = await ready({}, line.url);
    line.close();
    const id = await post();
    await becomes(id, { status: 'queued', error: expect.stringContaining('google: not published to scrape_jobs yet') });
    line.open();
    expect((await published()).body).toMatchObject({ job_id: id });
    await becomes(id, { status: 'queued', error: null });
  });

  it('waits for its queue if that was deleted, which is declared again', async () => {
    const { post, published, connection } = await ready();
    await connection.queueDelete('scrape_jobs');
    const id = await post();
    await eventually(() => connection.queueDeclare({ queue: 'scrape_jobs', passive: true }));
    expect((await published()).body).toMatchObject({ job_id: id });
  });

  it('is published again, under the same job_id, when its publication could not be recorded', async () => {
    const api = await ready({ roles: new Set(['api']) });
    const id = await api.post();
    const client = new pg.Client({ connectionString: given.url });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query('BEGIN');
    await client.query('SELECT FROM scrape_jobs WHERE job_id = $1 FOR UPDATE', [id]);
    const { published, becomes } = await ready();
    expect((await published()).body).toMatchObject({ job_id: id });
    await eventually(async () => {
      const { rows } = await client.query(KILL_BLOCKED);
      expect(rows).toHaveLength(1);
    });
    await client.query('COMMIT');
    expect((await published()).body).toMatchObject({ job_id: id });
    await becomes(id, { status: 'queued', error: null });
  });

  it('is refused without RabbitMQ', async () => {
    const { ask } = await startIntake(
      { databaseUrl: given.url, rabbitmqUrl: broker },
      { scrapeIntake: 'off', rabbitmqUrl: undefined, roles: new Set(['api']) },
    );
    expect(await ask('POST', '/jobs/scrape', 'ann', CRITERIA)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'source_types', message: expect.stringContaining('RABBITMQ_URL is not set') }] },
    });
  });

  it('is searched by Millrace itself once the intake is on again', async () => {
    const off = await ready({ scrapeIntake: 'off', roles: new Set(['api']) });
    const id = await off.post();
    await off.stop();
    const { becomes } = await ready({ scrapeIntake: 'on' });
    await becomes(id, { status: 'failed', by_source: [{ error: expect.stringContaining('127.0.0.1') }, {}] });
  });
});

const unpublished = async () => {
  const jobs = await given.database.db.select().from(scrapeJobs);
  return jobs.filter(({ publishedAt, answerBy }) => !publishedAt || !answerBy);
};
