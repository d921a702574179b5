import { expect, it, onTestFinished } from 'vitest';
import { testDatabase } from '../harness/database.js';
import { rabbitmqUrl } from '../harness/rabbitmq.js';
import { type Reader, startReader } from '../harness/reader.js';
import { thisMachine } from '../harness/servers/machine.js';
import { startFakeSite } from '../workers/fake-site.js';
import { describeWithPython, pythonProgram } from '../workers/python.js';
import { startWorkerProgram, type WorkerProgram } from '../workers/worker-program.js';

const ACCOUNTS = 200;
const WAIT_OPTIONS = { timeout: 120_000, interval: 250 };

describeWithPython('two Python workers for Instagram', () => {
  const db = testDatabase();
  const rabbitmq = rabbitmqUrl();

  it('share the work; killing one loses no post, doubles none, and costs one more request', {
    timeout: 240_000,
  }, async () => {
    const site = await startFakeSite('fake_instagram', { accounts: ACCOUNTS, posts: 10 });
    const reader = await startReader(db.url, { rabbitmqUrl: rabbitmq });
    const workers = [startInstagramWorker(rabbitmq, site.url), startInstagramWorker(rabbitmq, site.url)] as const;
    const ann = reader.as('ann');
    const { accounts } = await site.seen();
    for (const externalId of Object.keys(accounts)) {
      expect((await ann.send('POST', '/sources/follow', { type: 'instagram', externalId })).status).toBe(202);
    }

    await expect.poll(() => fetched(reader), WAIT_OPTIONS).toBeGreaterThan(ACCOUNTS / 4);
    await workers[1].end('SIGKILL');
    await expect.poll(() => fetched(reader), WAIT_OPTIONS).toBe(ACCOUNTS);
    await expectPosts(reader, accounts);
    for (const worker of workers) expect(answeredBy(worker)).toBeGreaterThan(10);

    // One lookup each; what the dead worker had in hand was given to the other.
    const lookups = (await site.seen()).requests.filter(({ path }) => path.includes('web_profile_info'));
    expect(lookups.length - ACCOUNTS).toBeLessThanOrEqual(1);
    expect(await deadLetters(reader)).toEqual([]);

    for (const account of Object.keys(accounts)) await site.control({ addPost: { account, text: 'News' } });
    reader.clock.advance(3_600_000);
    await ann.send('POST', '/feed/refresh', {});
    const after = (await site.seen()).accounts;
    await expect.poll(() => storedPosts(reader), WAIT_OPTIONS).toHaveLength(ACCOUNTS * 11);
    await expectPosts(reader, after);
  });
});

describeWithPython('a Python worker with a browser', () => {
  const db = testDatabase();
  const rabbitmq = rabbitmqUrl();
  const machine = thisMachine();
  const chromedriver = machine.given('chromedriver') ?? machine.installed('chromedriver');

  it.skipIf(!chromedriver)('serves an account that instaloader is refused', { timeout: 120_000 }, async () => {
    const site = await startFakeSite('fake_instagram', { accounts: 1, posts: 10 });
    await site.control({ account: { name: 'account_1', refuses_programs: 401 } });
    const reader = await startReader(db.url, { rabbitmqUrl: rabbitmq });
    startInstagramWorker(rabbitmq, site.url, '--browser');
    await reader.as('ann').send('POST', '/sources/follow', { type: 'instagram', externalId: 'account_1' });
    await expect.poll(() => storedPosts(reader), WAIT_OPTIONS).toHaveLength(10);
    const { accounts, requests } = await site.seen();
    await expectPosts(reader, accounts);
    expect(requests.map(({ path }) => path)).toContain('/account_1/');
  });
});

function startInstagramWorker(rabbitmq: string, siteUrl: string, ...options: string[]): WorkerProgram {
  const env = { RABBITMQ_URL: rabbitmq, MILLRACE_INSTAGRAM_URL: siteUrl, PYTHONPATH: 'workers/python' };
  const worker = startWorkerProgram(pythonProgram(), ['-m', 'millrace_worker', 'instagram', ...options], env);
  onTestFinished(() => void worker.end('SIGKILL'));
  return worker;
}

const answeredBy = (worker: WorkerProgram) => worker.printed().match(/"outcome": ?"success"/g)?.length ?? 0;

async function sources(reader: Reader): Promise<{ externalId: string; lastSuccessAt: string | null }[]> {
  return all(reader, '/sources');
}

const fetched = async (reader: Reader) => (await sources(reader)).filter(({ lastSuccessAt }) => lastSuccessAt).length;

async function storedPosts(reader: Reader): Promise<string[]> {
  return (await all<{ externalId: string }>(reader, '/feed')).map(({ externalId }) => externalId);
}

async function expectPosts(reader: Reader, accounts: Record<string, string[]>): Promise<void> {
  expect((await storedPosts(reader)).toSorted()).toEqual(Object.values(accounts).flat().toSorted());
}

async function deadLetters(reader: Reader): Promise<unknown[]> {
  const answer = await reader.send({ url: '/api/v1/dead-letters', key: 'an-admin-key-for-stories-only' });
  return answer.json().items;
}

async function all<Item>(reader: Reader, path: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await reader.as('ann').send('GET', `${path}?limit=100${cursor && `&cursor=${cursor}`}`);
    items.push(...body.items);
    cursor = body.nextCursor;
  }
  return items;
}
