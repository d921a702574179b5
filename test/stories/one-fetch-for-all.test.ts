import { describe, expect, it, vi } from 'vitest';
import { testDatabase } from '../harness/database.js';
import { FeedSite } from '../harness/feed-site.js';
import { startReader } from '../harness/reader.js';

const WAIT_OPTIONS = { timeout: 15_000, interval: 50 };
const HOUR_MS = 3_600_000;
const server = testDatabase();

describe('one fetch for all', () => {
  it('asks a source once an interval, however many follow it, and shows them all the post', async () => {
    const { as, clock } = await startReader(server.url, { policy: 'tiers' });
    const site = await FeedSite.start();
    site.publish('/feed', { guid: '1', title: 'First' });
    const [anna, ben] = [as('anna'), as('ben')];
    await Promise.all([anna.follow(site.url('/feed')), ben.follow(site.url('/feed'))]);
    await vi.waitFor(async () => expect(await anna.titles()).toEqual(['First']), WAIT_OPTIONS);
    expect(await ben.titles()).toEqual(['First']);
    expect(site.requests('/feed')).toHaveLength(1);

    site.publish('/feed', { guid: '2', title: 'Second' });
    clock.advance(1.2 * HOUR_MS);
    await vi.waitFor(async () => expect(await ben.titles()).toEqual(['Second', 'First']), WAIT_OPTIONS);
    expect(await anna.titles()).toEqual(['Second', 'First']);
    expect(site.requests('/feed')).toHaveLength(2);
  });

  it('takes two spellings of an address for one source', async () => {
    const { as } = await startReader(server.url, { policy: 'tiers' });
    const site = await FeedSite.start();
    site.publish('/spelling', { guid: '1', title: 'Post' });
    const { port } = new URL(site.url('/'));
    const first = await as('carl').follow(`HTTP://127.0.0.1:${port}/x/../spelling#top`);
    const second = await as('dora').follow(site.url('/spelling'));
    expect(second.id).toBe(first.id);
    expect(second.followers).toBe(2);
  });

  it('asks with the validators of the last answer, so that nothing new costs nothing', async () => {
    const { as, clock } = await startReader(server.url, { policy: 'tiers' });
    const site = await FeedSite.start();
    site.publish('/quiet', { guid: '1', title: 'Only' });
    const user = as('emil');
    const { id } = await user.follow(site.url('/quiet'));
    await vi.waitFor(async () => expect(await user.titles()).toEqual(['Only']), WAIT_OPTIONS);
    clock.advance(2.5 * HOUR_MS);
    await user.titles();
    await vi.waitFor(
      () => expect(site.requests('/quiet').map(({ status }) => status)).toEqual([200, 304]),
      WAIT_OPTIONS,
    );
    await vi.waitFor(async () => {
      const source = await user.source(id);
      expect(Date.parse(source.lastSuccessAt)).toBe(clock.now().getTime());
    }, WAIT_OPTIONS);
  });
});

describe('a silent user', () => {
  it('costs nothing after 24 hours, and is served at once when they come back', async () => {
    const { as, clock } = await startReader(server.url, { policy: 'tiers', recalcMs: 200 });
    const site = await FeedSite.start();
    site.publish('/private', { guid: '1', title: 'Before' });
    const user = as('frida');
    const { id } = await user.follow(site.url('/private'));
    await vi.waitFor(async () => expect(await user.titles()).toEqual(['Before']), WAIT_OPTIONS);

    clock.advance(25 * HOUR_MS);
    await vi.waitFor(async () => expect(await pausedInDatabase(id)).toBe(true), WAIT_OPTIONS);
    const asked = site.requests('/private').length;
    clock.advance(100 * HOUR_MS);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(site.requests('/private')).toHaveLength(asked);

    site.publish('/private', { guid: '2', title: 'Meanwhile' });
    await user.send('GET', '/users/me');
    await vi.waitFor(() => expect(site.requests('/private')).toHaveLength(asked + 1), WAIT_OPTIONS);
    await vi.waitFor(async () => expect(await user.titles()).toEqual(['Meanwhile', 'Before']), WAIT_OPTIONS);
  });
});

async function pausedInDatabase(id: string): Promise<boolean> {
  const { rows } = await server.database.pool.query(
    'SELECT next_fetch_at IS NULL AND active_followers = 0 AS paused FROM fetch_states WHERE id = $1',
    [id],
  );
  return rows[0]?.paused;
}
