import { readdirSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { rabbitmqUrl } from '../harness/rabbitmq.js';
import { describeWithPython, pythonProgram } from '../workers/python.js';
import { startWorkerProgram } from '../workers/worker-program.js';
import { ask } from './api-client.js';
import { entranceOf, startDemo } from './demo-process.js';
import { postgresOn } from './embedded-server.js';
import type { MillraceProcess } from './millrace-process.js';

const WAIT_OPTIONS = { timeout: 90_000, interval: 250 };

// biome-ignore lint/suspicious/noExplicitAny: answers of all kinds
type Json = any;

async function callerOf(demo: MillraceProcess) {
  const { address, key } = await entranceOf(demo);
  const call = async (path: string, body?: object): Promise<Json> =>
    (await ask(`${address}/api/v1/${path}`, { key, ...(body && { body }) })).json();
  const items = async (path: string): Promise<Json[]> => (await call(path)).items ?? [];
  return { call, items };
}

it('shows every part at work within a minute or so, and goes without a trace', { timeout: 240_000 }, async () => {
  const startedAt = new Date().toISOString();
  const { demo, home, dataDir } = startDemo(onTestFinished);
  const { call, items } = await callerOf(demo);
  await demo.printed(/Ctrl\+C stops everything/);

  await expect.poll(async () => (await items('feed?limit=100')).length, WAIT_OPTIONS).toBe(100);
  const arrivedLive = async () => (await items('feed')).filter(({ publishedAt }) => publishedAt > startedAt).length;
  await expect.poll(arrivedLive, WAIT_OPTIONS).toBeGreaterThan(5);
  const instagram = async () => (await items('feed?folder=Instagram')).length;
  await expect.poll(instagram, WAIT_OPTIONS).toBeGreaterThan(0);

  const searched = async () => (await items('jobs/scrape?status=completed')).length;
  await expect.poll(searched, WAIT_OPTIONS).toBeGreaterThan(0);
  expect((await items('leads?limit=100')).length).toBeGreaterThan(20);

  const published = async () => new Set((await items('publications?status=published')).map(({ platform }) => platform));
  await expect.poll(published, WAIT_OPTIONS).toEqual(new Set(['facebook', 'linkedin', 'mastodon', 'webhook']));

  await expect.poll(async () => (await items('imports'))[0]?.status, WAIT_OPTIONS).toBe('completed');
  expect((await items('imports'))[0]).toMatchObject({ feeds: { total: 40, done: 39, failed: 1 } });

  const letters = await items('dead-letters?state=open');
  const dead = (queue: string) => letters.find((letter) => letter.queue === queue);
  const queues = letters.map(({ queue }) => queue);
  expect(queues).toEqual(expect.arrayContaining(['import-feed', 'publish-mastodon', 'publish-webhook']));
  await call(`dead-letters/${dead('import-feed').id}/replay`, {});
  await call(`dead-letters/${dead('publish-webhook').id}/replay`, {});
  await expect
    .poll(async () => (await items('imports'))[0].feeds, WAIT_OPTIONS)
    .toEqual({ total: 40, done: 40, failed: 0 });
  const proof = async () => (await items('publications?limit=100')).find(({ content }) => /^Proof/.test(content.text));
  await expect.poll(async () => (await proof())?.status, WAIT_OPTIONS).toBe('published');

  expect(await demo.end('SIGINT')).toEqual({ code: 0, signal: null });
  expect(demo.stderr).toBe('');
  expect(demo.groupIsRunning()).toBe(false);
  expect(await postgresOn(dataDir)).toBeUndefined();
  expect(readdirSync(home)).toEqual(['data-demo']);
});

it('leaves no database running when it is killed', { timeout: 60_000 }, async () => {
  const { demo, dataDir } = startDemo(onTestFinished);
  await demo.printed(/Ctrl\+C stops everything/);
  expect(await postgresOn(dataDir)).toBeDefined();
  await demo.end('SIGKILL');
  await expect.poll(() => postgresOn(dataDir), WAIT_OPTIONS).toBeUndefined();
});

describeWithPython('with RABBITMQ_URL', () => {
  const url = rabbitmqUrl();

  it('leaves Instagram to the worker that its guide says how to start', { timeout: 180_000 }, async () => {
    const { demo } = startDemo(onTestFinished, { RABBITMQ_URL: url });
    const { items } = await callerOf(demo);
    const [variables = '', args = ''] = (await demo.printed(/(DEMO_INSTAGRAM_URL=.*)\n/)).split(' python3 ');
    const errors = async () => (await items('sources?limit=100')).map(({ lastError }) => lastError);
    await expect.poll(errors, WAIT_OPTIONS).toContain('no worker answers for instagram');

    const environment = Object.fromEntries(variables.split(' ').map((variable) => variable.split('=')));
    const worker = startWorkerProgram(pythonProgram(), args.split(' '), { RABBITMQ_URL: url, ...environment });
    onTestFinished(async () => {
      await worker.end('SIGKILL');
    });
    await expect.poll(async () => (await items('feed?folder=Instagram')).length, WAIT_OPTIONS).toBeGreaterThan(0);
  });
});
