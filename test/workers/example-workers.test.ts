import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { main } from '../../src/cli/main.js';
import { FetchResult } from '../../src/contracts/fetch-result.js';
import { ScrapeJobMessage } from '../../src/contracts/scrape-job-message.js';
import { ScrapeJobResult } from '../../src/contracts/scrape-job-result.js';
import { commandTopology, intakeTopology } from '../../src/contracts/topology.js';
import { parseConfig } from '../../src/platform/config.js';
import { rabbitmqUrl } from '../harness/rabbitmq.js';
import { Caller } from './caller.js';
import { describeWithPython, pythonProgram } from './python.js';
import { startWorkerProgram, type WorkerProgram } from './worker-program.js';

const QUEUE = 'fetch.diary';
const config = parseConfig({ MILLRACE_REMOTE_TYPES: 'diary', MILLRACE_SCRAPE_INTAKE: 'off' });
const url = rabbitmqUrl();
const commands = new Caller(url, commandTopology(config));
const jobs = new Caller(url, intakeTopology(config));
const inPython = { RABBITMQ_URL: url, PYTHONPATH: 'workers/python', PYTHONDONTWRITEBYTECODE: '1' };

describe('docs/examples/node-worker.mjs', () => {
  keepsTheContract(() =>
    startWorkerProgram(process.execPath, ['docs/examples/node-worker.mjs'], { RABBITMQ_URL: url }),
  );
});

describeWithPython('docs/examples/diary_worker.py', () => {
  const args = ['-m', 'millrace_worker', 'docs/examples/diary_worker.py'];
  keepsTheContract(() => startWorkerProgram(pythonProgram(), args, inPython));
});

describeWithPython('docs/examples/send_scrape_job.py', () => {
  it('hands in a job that Millrace understands', async () => {
    const program = startWorkerProgram(pythonProgram(), ['docs/examples/send_scrape_job.py'], inPython);
    await expect.poll(() => jobs.waiting('scrape_jobs'), { timeout: 20_000 }).toBe(1);
    expect(ScrapeJobMessage.parse(await jobs.take('scrape_jobs'))).toMatchObject({ job_id: 'crm-17' });
    expect(await program.ended, program.printed()).toBe(0);
  });
});

describeWithPython('docs/examples/scraper_worker.py', () => {
  it('answers a job with a result that Millrace understands', async () => {
    const program = startWorkerProgram(pythonProgram(), ['docs/examples/scraper_worker.py'], inPython);
    onTestFinished(() => void program.end('SIGKILL'));
    await jobs.send({ routingKey: 'scrape_jobs' }, { job_id: 'crm-18', source_types: ['web'] });
    await expect.poll(() => jobs.waiting('scrape_results'), { timeout: 20_000 }).toBe(1);
    expect(ScrapeJobResult.parse(await jobs.take('scrape_results'))).toMatchObject({
      job_id: 'crm-18',
      status: 'completed',
      leads: [{ name: 'Brot & Co', source_type: 'web' }],
    });
  });
});

function keepsTheContract(start: () => WorkerProgram): void {
  let worker: WorkerProgram | undefined;
  beforeAll(() => {
    worker = start();
  });
  afterAll(() => worker?.end('SIGKILL'));

  it('answers a command with posts, under its ids', async () => {
    const jobId = randomUUID();
    const result = FetchResult.parse(await commands.call(QUEUE, jobId, command(jobId)));
    expect(result).toMatchObject({ jobId, sourceId: '42', status: 'success', data: { hasMore: false } });
    expect(idsOf(result)).toEqual(['3', '2', '1']);
  });

  it('pages from the newest post to the oldest', async () => {
    const first = await ask({ params: { limit: 2 } });
    expect(idsOf(first)).toEqual(['3', '2']);
    expect(first).toMatchObject({ data: { hasMore: true, nextCursor: '2' } });
    const second = await ask({ params: { limit: 2, cursor: '2' } });
    expect(idsOf(second)).toEqual(['1']);
    expect(second).toMatchObject({ data: { hasMore: false } });
  });

  it('says that an account is not there', async () => {
    expect(await ask({ externalId: 'nobody' })).toMatchObject({ status: 'error', error: { code: 'NOT_FOUND' } });
    expect(await ask({ externalId: 'constructor' })).toMatchObject({ error: { code: 'NOT_FOUND' } });
  });

  it.each([
    ['no externalId', { externalId: undefined }, /^externalId: /],
    ['params that are null', { params: null }, /^params: /],
    ['another version', { schemaVersion: 2 }, /^schemaVersion: /],
  ])('refuses a command with %s, and names the field', async (_, given, message) => {
    expect(await ask(given)).toMatchObject({
      status: 'error',
      error: { code: 'INVALID_COMMAND', message: expect.stringMatching(message) },
    });
  });

  it.each(['{"jobId": ', 'null', '"text"', '[]'])('refuses %s and lives on', async (body) => {
    const jobId = randomUUID();
    const result = FetchResult.parse(await commands.call(QUEUE, jobId, body));
    expect(result).toMatchObject({ jobId, sourceId: 'unknown', error: { code: 'INVALID_COMMAND' } });
    expect(await ask()).toMatchObject({ status: 'success' });
  });

  it('takes commands that nobody waits for off the queue without an answer', async () => {
    const expired = randomUUID();
    const timestamp = new Date(Date.now() - 60_000).toISOString();
    await commands.ask(QUEUE, expired, command(expired, { timestamp, timeout: 1_000 }));
    await commands.send({ routingKey: QUEUE }, command(randomUUID()));
    // One worker, one message at a time: after this answer it is done with those before.
    expect(await ask()).toMatchObject({ status: 'success' });
    expect(commands.answersTo(expired)).toEqual([]);
    expect(await commands.waiting(QUEUE)).toBe(0);
  });

  it('passes every probe of millrace conform', async () => {
    const printed: string[] = [];
    const print = (text: string) => void printed.push(text);
    const args = ['conform', QUEUE, '--account', 'ada', '--url', url];
    expect(await main(args, { out: print, err: print, colours: false, environment: {} }), printed.join('')).toBe(0);
    expect(printed.join('')).toMatch(/fetch\.diary conforms: \d+ passed, 0 breached, 0 skipped/);
  }, 60_000);

  it('shuts down cleanly on request', async () => {
    expect(await ask()).toMatchObject({ status: 'success' });
    expect(await worker?.end('SIGTERM'), worker?.printed()).toBe(0);
  });
}

async function ask(given: object = {}): Promise<FetchResult> {
  const jobId = randomUUID();
  return FetchResult.parse(await commands.call(QUEUE, jobId, command(jobId, given)));
}

function command(jobId: string, given: object = {}) {
  const base = { schemaVersion: 1, jobId, sourceId: '42', sourceType: 'diary', externalId: 'ada', params: {} };
  return { ...base, timestamp: new Date().toISOString(), timeout: 20_000, ...given };
}

function idsOf(result: FetchResult): string[] {
  return result.status === 'success' ? result.data.posts.map(({ externalId }) => externalId) : [];
}
