import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished, vi } from 'vitest';
import type { Config } from '../../src/platform/config.js';
import { Database } from '../../src/platform/database/database.js';
import { readKnownBeat } from '../../src/platform/database/database-beat.js';
import { createLog } from '../../src/platform/log/log.js';
import { noticeRestore } from '../../src/publishing/restore/publishing-hold.js';
import { administer, dropDatabase, withDatabase } from '../harness/administration.js';
import { testDatabase } from '../harness/database.js';
import { startFiles, startPlace, textsOf } from '../publishing/fake-platforms.js';
import { adminKey, type Publishing, startPublishing } from '../publishing/publisher.js';

vi.setConfig({ testTimeout: 120_000 });

const db = testDatabase();
const log = createLog({ logLevel: 'silent', logFormat: 'json' });
const HOUR_MS = 3_600_000;
const POLLING = { timeout: 40_000, interval: 200 };

/** A copy of the database as it is now, which nobody may use meanwhile. */
async function takeBackup(): Promise<string> {
  const name = `backup_${Date.now()}_${process.pid}`;
  const server = inject('postgresUrl');
  const source = new URL(db.url).pathname.slice(1);
  const disconnect = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${source}'`;
  // Connections that were ended are gone a moment later.
  await vi.waitFor(() => administer(server, disconnect, `CREATE DATABASE ${name} TEMPLATE ${source}`), POLLING);
  onTestFinished(() => dropDatabase(server, name));
  return withDatabase(server, name);
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-restored-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** As a start does before anything works on the database. */
async function noticeAtStart(url: string, dataDir: string, now: Date): Promise<void> {
  const database = new Database(url);
  await noticeRestore(database, { dataDir, log, now });
  await database.onApplicationShutdown();
}

/** What only an administrator may ask. */
async function asAdmin({ send }: Publishing, method: 'GET' | 'POST', path: string, payload: object = {}) {
  const answer = await send({ method, url: `/api/v1${path}`, key: adminKey, ...(method === 'POST' && { payload }) });
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

it('sends nothing twice and loses nothing after a restore, and lists what nobody can tell', async () => {
  const [mastodon, webhook, instagram] = await Promise.all([
    startPlace('mastodon'),
    startPlace('webhook'),
    startPlace('instagram'),
  ]);
  const files = await startFiles();
  const dataDir = await newFolder();
  const secretKeys = ['a-secret-key-for-stories-of-publishing-only'];
  const config: Partial<Config> = { dataDir, secretKeys, ...instagram.config };
  const start = async (url: string) => {
    const millrace = await startPublishing(url, config);
    for (const { fake } of [mastodon, webhook, instagram]) fake.now = millrace.time.now;
    return { ...millrace, anna: millrace.as('anna') };
  };

  const first = await start(db.url);
  const [tooter, hook, gram] = [
    await first.anna.account(mastodon.given),
    await first.anna.account(webhook.given),
    await first.anna.account(instagram.given),
  ];
  const startedAt = first.time.now().getTime();
  const plan = (account: { id: string }, hours: number, content: object) =>
    first.anna.publish({
      accountId: account.id,
      content,
      scheduledAt: new Date(startedAt + hours * HOUR_MS).toISOString(),
    });
  const sent = [
    await plan(tooter, 1, { text: 'Sent' }),
    await plan(tooter, 1, { text: 'Twin' }),
    await plan(tooter, 1, { text: 'Twin' }),
    await plan(tooter, 1, { text: 'With a photo', mediaUrls: [files.photo] }),
    await plan(hook, 1, { text: 'Hooked' }),
    await plan(gram, 1, { text: 'Pictured', mediaUrls: [files.photo] }),
  ];
  const notSent = await plan(tooter, 2, { text: 'Not sent' });
  const later = await plan(tooter, 10, { text: 'Later' });
  await expect.poll(() => readKnownBeat(dataDir), POLLING).toBeDefined();
  await first.stop();
  const backup = await takeBackup();

  const second = await start(db.url);
  await second.time.pass(HOUR_MS + 60_000);
  for (const { id } of sent) {
    await expect
      .poll(async () => {
        await second.time.handOut();
        return (await second.anna.find(id)).status;
      }, POLLING)
      .toBe('published');
  }
  await second.stop();
  const before = {
    tooted: textsOf(mastodon.fake).toSorted(),
    hooked: textsOf(webhook.fake),
    pictured: textsOf(instagram.fake),
  };
  expect(before).toEqual({
    tooted: ['Sent', 'Twin', 'Twin', 'With a photo'],
    hooked: ['Hooked'],
    pictured: ['Pictured'],
  });

  const now = new Date(Date.now() + 3 * HOUR_MS);
  await noticeAtStart(backup, dataDir, now);
  const restored = await start(backup);
  await restored.time.pass(3 * HOUR_MS + 60_000);
  await restored.time.handOut();
  expect(await asAdmin(restored, 'GET', '/restore-check')).toMatchObject({ state: 'held', remaining: 7 });
  const { alerts } = await asAdmin(restored, 'GET', '/health');
  expect(alerts).toContainEqual(expect.objectContaining({ code: 'publishing_held', severity: 'critical' }));
  expect((await restored.anna.find(notSent.id)).status).toBe('scheduled');

  const checked = await asAdmin(restored, 'POST', '/restore-check');

  expect(checked).toMatchObject({
    state: 'released',
    remaining: 0,
    counts: { published: 4, to_send: 1, unknown: 2, unread: 0 },
  });
  const unknown = checked.results.filter(({ outcome }: { outcome: string }) => outcome === 'unknown');
  expect(unknown.map(({ text }: { text: string }) => text).toSorted()).toEqual(['Hooked', 'Pictured']);
  await expect
    .poll(async () => {
      await restored.time.handOut();
      return (await restored.anna.find(notSent.id)).status;
    }, POLLING)
    .toBe('published');
  const posts = await Promise.all(sent.map(({ id }) => restored.anna.find(id)));
  expect(posts.map(({ status }) => status)).toEqual([...Array(4).fill('published'), 'unknown', 'unknown']);
  expect(new Set(posts.slice(0, 4).map(({ platformPostId }) => platformPostId)).size).toBe(4);
  expect((await restored.anna.find(later.id)).status).toBe('scheduled');
  expect(textsOf(mastodon.fake).toSorted()).toEqual(['Not sent', ...before.tooted]);
  expect([textsOf(webhook.fake), textsOf(instagram.fake)]).toEqual([before.hooked, before.pictured]);
  const resolved = await restored.anna.send('POST', `/publications/${posts[4]?.id}/resolve`, { outcome: 'published' });
  expect(resolved).toMatchObject({ status: 200, body: { status: 'published' } });
});
