import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { newDataFolder } from '../harness/data-folder.js';
import { testDatabase } from '../harness/database.js';
import { FeedSite, renderFeed } from '../harness/feed-site.js';
import { ask } from '../program/api-client.js';
import { type MillraceProcess, startMillrace } from '../program/millrace-process.js';

const db = testDatabase();
const KEY = 'an-admin-key-for-this-story-only';
const WAIT_OPTIONS = { timeout: 90_000, interval: 100 };
/** Three deaths beside another job and one alone, and as many again for what a busy machine delays. */
const MAX_STARTS = 8;
/** How long the poisonous feed waits for a job beside it, and the innocent one for the poisonous. */
const BESIDE_MS = 1_000;
const FEED = { 'content-type': 'application/rss+xml' };

/** Millrace with all roles in one process, started again whenever it is killed, as a service manager does. */
function keepRunning(environment: Record<string, string>) {
  const started: MillraceProcess[] = [];
  const ends: (() => Promise<void>)[] = [];
  onTestFinished(async () => void (await Promise.all(ends.map((end) => end()))));
  const start = () => {
    const millrace = startMillrace(environment, 'millrace', { keep: (end) => ends.push(end) });
    started.push(millrace);
    void millrace.ended.then(({ signal }) => {
      if (signal === 'SIGKILL' && started.length < MAX_STARTS) start();
    });
  };
  start();
  const current = () => started.at(-1) as MillraceProcess;
  const send = async <Answer>(path: string, body?: object): Promise<Answer> => {
    const isAdmin = path.startsWith('/dead-letters');
    const request = { key: KEY, ...(!isAdmin && { user: 'reader' }), ...(body && { body }) };
    return (await ask(`${await current().address()}/api/v1${path}`, request)).json() as Answer;
  };
  return { started, current, send };
}

/** A site whose feed `/poison` kills the process that reads it, and whose feed `/innocent` is read at that moment each time. */
async function startDeadlySite(victim: () => MillraceProcess) {
  const site = await FeedSite.start();
  const underWay = { poison: 0, innocent: 0 };
  const until = async (isTrue: () => boolean) => {
    for (let waited = 0; waited < BESIDE_MS && !isTrue(); waited += 20) await sleep(20);
  };
  const count = (feed: keyof typeof underWay, closes: { once(event: 'close', listener: () => void): unknown }) => {
    underWay[feed] += 1;
    closes.once('close', () => (underWay[feed] -= 1));
  };
  site.on('/poison', async (_, response) => {
    count('poison', response);
    await until(() => underWay.innocent > 0);
    victim().send('SIGKILL');
  });
  site.on('/innocent', async (_, response) => {
    count('innocent', response);
    await until(() => underWay.poison > 0);
    if (!underWay.poison) response.writeHead(200, FEED).end(renderFeed('Innocent', [{ guid: 'i', title: 'Innocent' }]));
  });
  return site;
}

it('gives up on a source that kills the process after a few deaths, and fetches all others', {
  timeout: 120_000,
}, async () => {
  const service = keepRunning({
    DATABASE_URL: db.url,
    MILLRACE_DATA_DIR: newDataFolder(),
    MILLRACE_ADMIN_KEY: KEY,
    MILLRACE_ALLOW_NETWORKS: '127.0.0.1',
    MILLRACE_HOST_CONCURRENCY: '20',
    MILLRACE_SWEEP_MS: '200',
    MILLRACE_JOB_LOCK_MS: '1000',
    PORT: '0',
  });
  const site = await startDeadlySite(service.current);
  const paths = ['/a', '/b', '/c'];
  for (const path of paths) site.publish(path, { guid: path, title: `Good ${path}` });
  const follow = (path: string) => service.send('/sources/follow', { type: 'rss', externalId: site.url(path) });
  for (const path of [...paths, '/innocent']) await follow(path);
  // The process may die before it answers.
  await follow('/poison').catch(() => undefined);

  const open = async () =>
    (await service.send<{ items: { payload: { sourceId: string } }[] }>('/dead-letters?state=open')).items;
  await vi.waitFor(async () => expect(await open()).toHaveLength(1), WAIT_OPTIONS);
  const [letter] = await open();
  expect(letter).toMatchObject({
    queue: 'fetch-rss',
    reason: expect.stringMatching(/^it ends the process that runs it: \d processes died while running it/),
  });
  const poison = letter?.payload.sourceId ?? '';
  expect(await service.send(`/sources/${poison}`)).toMatchObject({
    externalId: site.url('/poison'),
    lastError: expect.any(String),
  });
  const titles = async () =>
    (await service.send<{ items: { title: string }[] }>('/feed')).items.map(({ title }) => title);
  const expected = ['Good /a', 'Good /b', 'Good /c', 'Innocent'];
  await vi.waitFor(async () => expect((await titles()).toSorted()).toEqual(expected), WAIT_OPTIONS);
  // The innocent job was accused again and again, and became no dead letter.
  const { rows } = await db.database.pool.query('SELECT DISTINCT subject FROM job_deaths');
  expect(rows.length).toBeGreaterThan(1);
  expect(await open()).toHaveLength(1);

  const starts = service.started.length;
  expect(starts).toBeLessThan(MAX_STARTS);
  await service.send('/feed/refresh', {});
  site.publish('/later', { guid: 'later', title: 'Later' });
  await follow('/later');
  await vi.waitFor(async () => expect(await titles()).toContain('Later'), WAIT_OPTIONS);
  expect(service.started).toHaveLength(starts);
  expect(await service.current().end('SIGTERM')).toEqual({ code: 0, signal: null });
});
