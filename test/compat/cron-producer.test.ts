import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished, vi } from 'vitest';
import { testDatabase } from '../harness/database.js';
import { adminKey, startPublishing, startWebhook } from '../publishing/publisher.js';

const db = testDatabase();
const SCRIPT = join(import.meta.dirname, 'cron-producer.mjs');
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

async function newProducer() {
  const { given, fake } = await startWebhook();
  const millrace = await startPublishing(db.url);
  const { id: account } = await millrace.as('cron').account(given);
  await millrace.app.listen(0, '127.0.0.1');
  const folder = await mkdtemp(join(tmpdir(), 'cron-producer-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'posts.json');
  const env = { ...process.env, API_URL: await millrace.app.getUrl(), API_KEY: adminKey, API_USER: 'cron' };
  const everyMinute = async () => (await promisify(execFile)(process.execPath, [SCRIPT, file], { env })).stdout.trim();
  return { account, fake, file, everyMinute };
}

it('publishes once what a script hands in each minute when it is due', async () => {
  const { account, fake, file, everyMinute } = await newProducer();
  const posts = [
    { account, text: 'Missed while the machine was off', due_at: inMinutes(-90), priority: 'high' },
    { account, text: 'Of this minute', due_at: inMinutes(-0.5) },
    { account, text: 'Of the next minute', due_at: inMinutes(1) },
  ];
  await writeFile(file, JSON.stringify(posts));
  expect(await everyMinute()).toBe('sent 2');
  expect(await everyMinute()).toBe('nothing is due');
  const published = (count: number) => vi.waitFor(() => expect(fake.posts).toHaveLength(count), { timeout: 20_000 });
  await published(2);
  await writeFile(file, (await readFile(file, 'utf8')).replace(posts[2]?.due_at ?? '', inMinutes(0)));
  expect(await everyMinute()).toBe('sent 1');
  await published(3);
  expect(fake.posts.map(({ text }) => text).toSorted()).toEqual(posts.map(({ text }) => text).toSorted());
});
