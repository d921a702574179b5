import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runMillraceCommand } from '../../../test/cli/run-millrace-command.js';
import { testDatabase } from '../../../test/harness/database.js';
import { type Place, textsOf } from '../../../test/publishing/fake-platforms.js';
import { adminKey } from '../../../test/publishing/publisher.js';
import { startWorld } from '../../../test/publishing/world.js';
import { Database } from '../../platform/database/database.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { createLog } from '../../platform/log/log.js';
import { publishJobs } from '../sending/publish-jobs.js';
import { noticeRestore, PublishingHold } from './publishing-hold.js';

const db = testDatabase();
const log = createLog({ logLevel: 'silent', logFormat: 'json' });
const HOUR_MS = 3_600_000;
const POLLING = { timeout: 20_000, interval: 100 };

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-hold-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function startHeld<K extends Place>(platform: K) {
  const world = await startWorld(db.url, platform);
  const { millrace } = world;
  await db.database.pool.query('TRUNCATE publications, publishing_holds CASCADE');
  await millrace.app.listen(0, '127.0.0.1');
  const environment = { MILLRACE_URL: await millrace.app.getUrl(), MILLRACE_KEY: adminKey };
  const run = (...args: string[]) => runMillraceCommand(['restore-check', ...args], { environment });
  const hold = () => run('hold', '--backup-at', new Date(Date.now() - HOUR_MS).toISOString());
  return { ...world, run, hold, held: () => millrace.app.get(PublishingHold).isActive() };
}

describe('while publishing is held', () => {
  it('sends nothing, not even what a worker had before, and resumes after the check', async () => {
    const { anna, accountId, fake, time, run, hold, millrace, held } = await startHeld('mastodon');
    const scheduledAt = new Date(time.now().getTime() + HOUR_MS).toISOString();
    const { id } = await anna.publish({ accountId, content: { text: 'Held' }, scheduledAt });
    expect(await hold()).toMatchObject({ code: 0, out: expect.stringContaining('held: nothing is published') });
    await time.pass(2 * HOUR_MS);

    const job = publishJobs.get('mastodon');
    if (!job) throw new Error('there is no job for mastodon');
    await db.database.pool.query(`UPDATE publications SET status = 'queued' WHERE id = ${id}`);
    const rows = await job.rows.putToWork(millrace.app.get(Database).db, [id]);
    await millrace.app.get(Jobs).enqueueRows(job, rows);

    expect(await anna.waits(id)).toMatchObject({ status: 'scheduled', waitingFor: 'the check after a restore' });
    expect(textsOf(fake)).toEqual([]);
    expect(await run('status')).toMatchObject({ code: 1, out: expect.stringMatching(/not checked yet +1/) });

    const { code, out } = await run();

    expect(out).toMatch(/not there, can be sent +1/);
    expect(code).toBe(0);
    expect(await held()).toBe(false);
    await expect
      .poll(async () => {
        await time.pass(1_000);
        return textsOf(fake);
      }, POLLING)
      .toEqual(['Held']);
  });

  it('stays held while a platform cannot be read, until somebody finishes the check', async () => {
    const { anna, accountId, fake, time, run, hold, held } = await startHeld('facebook');
    const scheduledAt = new Date(time.now().getTime() + HOUR_MS).toISOString();
    const { id } = await anna.publish({ accountId, content: { text: 'Doubtful' }, scheduledAt });
    await hold();
    await time.pass(2 * HOUR_MS);
    fake.refuse({ status: 500, body: {} }, 'published_posts');

    expect(await run()).toMatchObject({ code: 1, out: expect.stringMatching(/platform not readable +1/) });
    expect(await held()).toBe(true);
    const finished = await run('--finish', '--json');

    expect(finished.code).toBe(1);
    expect(JSON.parse(finished.out)).toMatchObject({ state: 'released', counts: { unknown: 1, unread: 0 } });
    expect((await anna.find(id)).status).toBe('unknown');
    expect((await anna.send('POST', `/publications/${id}/resolve`, { outcome: 'published' })).status).toBe(200);
    expect(await run('status')).toMatchObject({ code: 0 });
    expect(textsOf(fake)).toEqual([]);
  });
});

describe('a restore', () => {
  const signs = (dataDir: string) => ({ dataDir, log, now: new Date() });

  it('is announced once by each time that MILLRACE_RESTORED is set to', async () => {
    const { anna, accountId, run, held } = await startHeld('mastodon');
    await anna.publish({ accountId, content: { text: 'Tomorrow' }, scheduledAt: '2099-01-01T00:00:00Z' });
    const dataDir = await newFolder();
    const restored = '2026-03-29T09:00:00Z';

    await noticeRestore(db.database, { ...signs(dataDir), restored });
    expect(await held()).toBe(true);
    expect(await run()).toMatchObject({ code: 0 });
    await noticeRestore(db.database, { ...signs(dataDir), restored });
    expect(await held()).toBe(false);
    await noticeRestore(db.database, { ...signs(dataDir), restored: '2026-04-29T09:00:00Z' });
    expect(await held()).toBe(true);
  });

  it('is seen in a copied data folder, but holds nothing where nothing is left to publish', async () => {
    const { anna, accountId, held } = await startHeld('mastodon');
    const copied = { ...signs(await newFolder()), copiedFrom: '/elsewhere' };
    await noticeRestore(db.database, copied);
    expect(await held()).toBe(false);
    await anna.publish({ accountId, content: { text: 'Tomorrow' }, scheduledAt: '2099-01-01T00:00:00Z' });
    await noticeRestore(db.database, copied);
    expect(await held()).toBe(true);
  });
});
