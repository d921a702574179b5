import { describe, expect, it, vi } from 'vitest';
import { ImportsModule } from '../../src/imports/imports.module.js';
import { settingOf } from '../../src/platform/jobs/job-catalogue.js';
import { JobHandlers } from '../../src/platform/jobs/job-handler.js';
import { QUEUE_BACKEND, type QueueBackend } from '../../src/platform/jobs/queue-backend.js';
import { PublishingModule } from '../../src/publishing/publishing.module.js';
import { ScrapingModule } from '../../src/scraping/scraping.module.js';
import { testDatabase } from '../harness/database.js';
import { FeedSite } from '../harness/feed-site.js';
import { startReader } from '../harness/reader.js';
import { startImporting } from '../imports/importing.js';
import { startFiles } from '../publishing/fake-platforms.js';
import { startWorld } from '../publishing/world.js';

const db = testDatabase();
vi.setConfig({ testTimeout: 60_000 });

const ATTEMPTS = {
  fetchAttempts: 7,
  importFeedAttempts: 7,
  importItemsAttempts: 7,
  scrapeAttempts: 7,
  publishAttempts: 7,
  websubAttempts: 7,
  replayAttempts: 7,
};

async function startFailingSite() {
  const site = await FeedSite.start();
  site.on('/down', (_, response) => response.writeHead(500).end());
  return site;
}

describe('attempts', () => {
  it('are configurable for every kind of job', async () => {
    const config = { ...ATTEMPTS, publicUrl: 'https://millrace.example/' };
    const { app, config: all } = await startReader(db.url, config, [ImportsModule, PublishingModule, ScrapingModule]);
    const jobs = app.get(JobHandlers).all();
    expect(jobs.map(([{ name }]) => name)).toEqual(
      expect.arrayContaining(['fetch-rss', 'import-feed', 'import-items', 'scrape', 'publish-mastodon', 'websub']),
    );
    const others = jobs.filter(([{ attempts }]) => settingOf(attempts, all) !== 7).map(([{ name }]) => name);
    expect(others, 'only icons, whose row decides when a site is asked again').toEqual(['icon']);
  });

  it('of a fetch end as configured', async () => {
    const site = await startFailingSite();
    const reader = await startReader(db.url, { fetchAttempts: 2, fetchBackoffMs: 100 });
    const ann = reader.as('ann');
    const { id } = await ann.follow(site.url('/down'));
    await expect.poll(async () => (await ann.source(id)).lastError, { timeout: 30_000 }).toContain('500');
    expect(site.requests('/down')).toHaveLength(2);
  });

  it('of a feed of an import end as configured', async () => {
    const site = await startFailingSite();
    const { as } = await startImporting(db.url, { importFeedAttempts: 4, importFeedBackoffMs: 100 });
    const user = as('bert');
    const { id } = await user.start([site.url('/down')]);
    expect(await user.whenEnded(id)).toMatchObject({ feeds: { failed: 1 } });
    expect(site.requests('/down')).toHaveLength(4);
  });

  it('of a post end as configured', async () => {
    const { fake, anna, accountId } = await startWorld(db.url, 'mastodon', { publishAttempts: 1 });
    const { photo } = await startFiles();
    fake.plan('no JSON after', 'upload', 1);
    const { id } = await anna.publish({ accountId, content: { text: 'Only once', mediaUrls: [photo] } });
    expect(await anna.when(id, 'failed')).toMatchObject({ attempts: 1, lastError: expect.stringContaining('no JSON') });
  });
});

describe('the queue of items', () => {
  it('may have another name in BullMQ', async () => {
    const site = await FeedSite.start();
    site.publish('/jobs', { guid: 'a', title: 'Baker' });
    const { as, app } = await startImporting(db.url, { importQueue: 'jobs-import', importBatch: 1 });
    const user = as('cora');
    const { id } = await user.start([site.url('/jobs')], { full: true });
    expect(await user.whenEnded(id)).toMatchObject({ status: 'completed', items: { new: 1 } });
    expect(app.get<QueueBackend>(QUEUE_BACKEND).queue('import-items').name).toBe('jobs-import');
  });

  it('may not have the name of another queue', async () => {
    await expect(startImporting(db.url, { importQueue: 'import-feed' })).rejects.toThrow(
      'the queue of import-items cannot be named import-feed, because another queue has that name',
    );
  });
});
