import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { png } from '../../../test/fetching/made-images.js';
import { eventually } from '../../../test/fetching/pushed-feed.js';
import { testDatabase } from '../../../test/harness/database.js';
import { startReader } from '../../../test/harness/reader.js';
import { type Site, startSite } from '../../../test/harness/site.js';
import { siteIcons } from '../../sources/site-icons.table.js';
import { sources } from '../../sources/sources.table.js';
import { IconScheduler } from './icon-scheduler.js';

const DAY = 86_400_000;
const db = testDatabase();

/** A site with any number of feeds, each of which names the site as its own. */
async function blogs() {
  const shown = { icon: png(32, 32) as Buffer | number, siteUrl: '' };
  const requested: string[] = [];
  const site: Site = await startSite((request, response) => {
    const path = request.url ?? '/';
    if (path.startsWith('/feed')) {
      const link = shown.siteUrl || site.url('/about', '127.0.0.1');
      response.end(`<rss version="2.0"><channel><title>${path}</title><link>${link}</link></channel></rss>`);
      return;
    }
    requested.push(path);
    if (path !== '/favicon.ico') response.writeHead(404).end();
    else if (typeof shown.icon === 'number') response.writeHead(shown.icon).end();
    else response.end(shown.icon);
  });
  const host = `127.0.0.1:${site.port}`;
  const row = async () => (await db.database.db.select().from(siteIcons).where(eq(siteIcons.site, host)))[0];
  return { shown, requested, row, feed: (name: string) => site.url(`/feed/${name}`, '127.0.0.1') };
}

async function iconReader() {
  const reader = await startReader(db.url);
  const scheduler = reader.app.get(IconScheduler);
  const ann = reader.as('ann');
  return {
    ...reader,
    ann,
    /** Follows the feed and waits until it was fetched. */
    async follow(url: string) {
      const { id } = await ann.follow(url);
      await eventually(async () => expect((await ann.source(id)).lastFetchAt).not.toBeNull());
      return id;
    },
    /** Runs rounds of the scheduler until the check passes. */
    until: (check: () => Promise<void>) =>
      eventually(async () => {
        await scheduler.run();
        await check();
      }),
    schedule: () => scheduler.run(),
  };
}

describe('the icon of a site', () => {
  it('is requested once for all its sources, and shown with each of them', async () => {
    const site = await blogs();
    const { ann, follow, until } = await iconReader();
    const ids = [await follow(site.feed('a')), await follow(site.feed('b')), await follow(site.feed('c'))];
    await until(async () => expect((await ann.source(ids[0] ?? '')).iconUrl).toMatch(/^\/api\/v1\/icons\//));
    const { body } = await ann.send('GET', '/sources');
    const urls = new Set(body.items.map(({ iconUrl }: { iconUrl: string }) => iconUrl));
    expect(urls.size).toBe(1);
    expect(site.requested).toEqual(['/', '/favicon.ico']);
  });

  it('is requested again after its time, and kept while the site fails', async () => {
    const site = await blogs();
    const { ann, follow, until, clock } = await iconReader();
    const id = await follow(site.feed('a'));
    const iconUrl = async () => (await ann.source(id)).iconUrl;
    await until(async () => expect(await iconUrl()).not.toBeNull());
    const first = await iconUrl();
    site.shown.icon = 503;
    clock.advance(15 * DAY);
    await until(async () => expect(await site.row()).toMatchObject({ failures: 1, lastError: expect.any(String) }));
    expect(await iconUrl()).toBe(first);
    site.shown.icon = png(48, 48);
    clock.advance(DAY);
    await until(async () => expect(await iconUrl()).not.toBe(first));
    expect(await site.row()).toMatchObject({ failures: 0, lastError: null });
    site.shown.icon = 404;
    clock.advance(15 * DAY);
    await until(async () => expect(await iconUrl()).toBeNull());
  });

  it('follows the address that a source names as its own', async () => {
    const [old, other] = [await blogs(), await blogs()];
    const { ann, follow, until, clock } = await iconReader();
    const id = await follow(old.feed('a'));
    await until(async () => expect((await ann.source(id)).iconUrl).not.toBeNull());
    const before = (await ann.source(id)).iconUrl;
    old.shown.siteUrl = new URL(other.feed('')).origin;
    clock.advance(DAY);
    await ann.send('POST', '/feed/refresh');
    await until(async () => {
      const { iconUrl } = await ann.source(id);
      expect(iconUrl).not.toBeNull();
      expect(iconUrl).not.toBe(before);
    });
    expect(other.requested).toEqual(['/', '/favicon.ico']);
  });

  it('of a site that nobody follows any more is not requested again', async () => {
    const site = await blogs();
    const { ann, follow, until, clock } = await iconReader();
    const id = await follow(site.feed('a'));
    await until(async () => expect((await ann.source(id)).iconUrl).not.toBeNull());
    const { askAt } = (await site.row()) ?? {};
    await ann.send('DELETE', `/sources/${id}/follow`);
    clock.advance(15 * DAY);
    await until(async () => expect((await site.row())?.askAt).not.toEqual(askAt));
    expect(site.requested).toHaveLength(2);
  });

  it('is not looked for where a source names no site', async () => {
    const { schedule } = await iconReader();
    const values = { type: 'instagram', externalId: `nobody-${Date.now()}`, followers: 1 };
    const [source] = await db.database.db.insert(sources).values(values).returning();
    await db.database.db.execute(`INSERT INTO fetch_states (id, type, last_fetch_at, job_state)
      VALUES (${source?.id}, 'instagram', now(), 'idle')`);
    await schedule();
    const [after] = await db.database.db
      .select()
      .from(sources)
      .where(eq(sources.id, source?.id ?? ''));
    expect(after?.iconSite).toBe('');
  });
});

describe('the address of an icon', () => {
  it('serves the image to everybody, to be kept, with nothing but its type', async () => {
    const site = await blogs();
    const { ann, follow, until, send } = await iconReader();
    const id = await follow(site.feed('a'));
    await until(async () => expect((await ann.source(id)).iconUrl).not.toBeNull());
    const url = (await ann.source(id)).iconUrl;
    const response = await send({ url });
    expect(response.statusCode).toBe(200);
    expect(response.rawPayload).toEqual(site.shown.icon);
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^default-src 'none';.*sandbox$/),
      'cross-origin-resource-policy': 'cross-origin',
    });
    const { etag } = response.headers;
    const again = await send({ url, headers: { 'if-none-match': String(etag) } });
    expect(again).toMatchObject({ statusCode: 304, body: '' });
    const unversioned = await send({ url: url.split('?')[0] });
    expect(unversioned.headers['cache-control']).toBe('public, max-age=86400');
    expect(url).not.toContain(String(new URL(site.feed('a')).port));
  });

  it('cannot be guessed', async () => {
    const { send } = await iconReader();
    for (const token of ['1', 'x'.repeat(43), 'x'.repeat(101)]) {
      const { statusCode } = await send({ url: `/api/v1/icons/${token}` });
      expect([400, 404]).toContain(statusCode);
    }
  });
});
