import { beforeEach, describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { rabbitmqUrl } from '../../../test/harness/rabbitmq.js';
import { eventually, newMessage, newSender, startIntake } from '../../../test/scraping/intake.js';
import { scrapeJobs } from './scrape-jobs.table.js';

const given = testDatabase();
const broker = rabbitmqUrl();
const start = (config = {}) => startIntake({ databaseUrl: given.url, rabbitmqUrl: broker }, config);
const storedJobs = async () => given.database.db.select().from(scrapeJobs);

beforeEach(async () => {
  await given.database.db.delete(scrapeJobs);
});

describe('work sent in', () => {
  it('may arrive in a queue of another name, and goes back there when it is replayed', async () => {
    const intake = await start({ scrapeQueue: 'team_jobs' });
    const { send } = newSender(broker);
    await send(newMessage({ job_id: 'elsewhere' }), { routingKey: 'team_jobs' });
    await eventually(async () => expect(await intake.jobs('acme-7')).toMatchObject([{ id: 'elsewhere' }]));
    await send({ job_id: 'misunderstood' }, { routingKey: 'team_jobs' });
    const { id, jobName } = await intake.letterAbout('user_id');
    expect(jobName).toBe('team_jobs');
    await intake.ask('POST', `/dead-letters/${id}/replay`);
    await eventually(async () => expect(await intake.letters('state=open')).toMatchObject([{ jobName: 'team_jobs' }]));
  });

  it('becomes a job that its user sees and nobody else', async () => {
    const intake = await start();
    const message = newMessage();
    await newSender(broker).send(message);

    const [job] = await eventually(async () => {
      const found = await intake.jobs('acme-7');
      expect(found).toHaveLength(1);
      return found;
    });
    const { job_id, user_id: _, ...criteria } = message;
    const by_source = [{ source_type: 'google' }, { source_type: 'openstreetmap' }];
    expect(job).toMatchObject({ id: job_id, created_at: expect.stringMatching(/Z$/), by_source, ...criteria });
    expect((await intake.ask('GET', `/jobs/scrape/${job_id}`, 'acme-7')).body).toMatchObject({
      id: job_id,
      ...criteria,
    });
    expect(await intake.ask('GET', `/jobs/scrape/${job_id}`, 'acme-8')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    expect(await intake.jobs('acme-8')).toEqual([]);
  });

  it('is in the log with its criteria, and without secrets in them', async () => {
    const intake = await start();
    const filters = { country: 'FR', api_key: 'hunter2', site: 'https://bot:hunter2@shop.example/' };
    const message = newMessage({ filters, keywords: Array.from({ length: 200 }, (_, n) => `word-${n}`) });
    await newSender(broker).send(message);
    const received = await eventually(() => {
      const line = intake.lines.find(({ event }) => event === 'scrape_job_received');
      if (!line) throw new Error('no job was received');
      return line;
    });
    expect(received).toMatchObject({
      level: 30,
      jobId: message.job_id,
      criteria: {
        user_id: 'acme-7',
        industry: 'bakeries',
        geography: 'Lyon',
        source_types: ['google', 'openstreetmap'],
        search_query: 'organic bakery Lyon',
        filters: { country: 'FR', api_key: '***', site: 'https://***@shop.example/' },
      },
    });
    expect((received.criteria as { keywords: string[] }).keywords).toHaveLength(20);
    expect(JSON.stringify(intake.lines)).not.toContain('hunter2');
  });

  it('is searched at once', async () => {
    const intake = await start();
    await newSender(broker).send(newMessage());
    await eventually(async () => expect(await intake.jobs('acme-7')).toMatchObject([{ status: 'failed' }]));
    expect((await intake.jobs('acme-7'))[0]?.by_source).toMatchObject([
      { status: 'failed', error: expect.stringContaining('127.0.0.1') },
      { status: 'failed', error: expect.stringContaining('127.0.0.1') },
    ]);
  });

  it('is understood whatever the content type says, and with numbers for ids', async () => {
    const intake = await start();
    const { send } = newSender(broker);
    const bytes = (fields = {}) => Buffer.from(JSON.stringify(newMessage(fields)));
    await send(bytes(), { contentType: 'application/octet-stream' });
    await send(JSON.stringify(newMessage()));
    await send(bytes({ job_id: 4711, keywords: null, filters: null, more: 'unknown' }), {
      contentType: 'application/json',
    });
    await send(bytes({ job_id: 'été / 7' }));
    await eventually(async () => expect(await intake.jobs('acme-7')).toHaveLength(4));
    expect((await intake.ask('GET', '/jobs/scrape/4711', 'acme-7')).body).toMatchObject({ keywords: [], filters: {} });
    const path = `/jobs/scrape/${encodeURIComponent('été / 7')}`;
    expect((await intake.ask('GET', path, 'acme-7')).body).toMatchObject({ id: 'été / 7' });
  });

  it('is one job however often, and by however many processes, the same job_id is taken', async () => {
    const [one, other] = await Promise.all([start({ scrapePrefetch: 5 }), start({ scrapePrefetch: 5 })]);
    const { send, waiting } = newSender(broker);
    const messages = Array.from({ length: 10 }, () => newMessage());
    await Promise.all(messages.flatMap((message) => Array.from({ length: 10 }, () => send(message))));
    await eventually(async () => expect(await one.jobs('acme-7')).toHaveLength(10));
    await eventually(async () => expect(await waiting('scrape_jobs')).toBe(0));
    expect(await storedJobs()).toHaveLength(10);
    const taken = [one, other].map(
      ({ lines }) => lines.filter(({ msg }) => msg.startsWith('Received a scrape job')).length,
    );
    expect(Math.min(...taken)).toBeGreaterThan(0);
  });

  it('is left to processes with the worker role', async () => {
    const [intake] = await Promise.all([start(), start({ roles: new Set(['api']) })]);
    const { send, waiting } = newSender(broker);
    await intake.stop();
    await send(newMessage());
    await eventually(async () => expect(await waiting('scrape_jobs')).toBe(1));
    expect(await storedJobs()).toEqual([]);
    const { jobs } = await start();
    await eventually(async () => expect(await jobs('acme-7')).toHaveLength(1));
  });

  it('is listed page by page, newest first, by status', async () => {
    const intake = await start();
    const { send } = newSender(broker);
    for (let at = 0; at < 5; at++) await send(newMessage({ job_id: `page-${at}` }));
    const failed = async () => (await intake.jobs('acme-7')).filter(({ status }) => status === 'failed');
    await eventually(async () => expect(await failed()).toHaveLength(5));
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await intake.ask(
        'GET',
        `/jobs/scrape?limit=2&status=failed${cursor && `&cursor=${cursor}`}`,
        'acme-7',
      );
      seen.push(...page.body.items.map(({ id }: { id: string }) => id));
      cursor = page.body.nextCursor;
    }
    expect(seen).toEqual(['page-4', 'page-3', 'page-2', 'page-1', 'page-0']);
    expect((await intake.ask('GET', '/jobs/scrape?status=running', 'acme-7')).body).toEqual({
      items: [],
      nextCursor: null,
    });
    expect(await intake.ask('GET', '/jobs/scrape?status=lost', 'acme-7')).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'status' }] },
    });
  });
});
