import { expect, it, vi } from 'vitest';
import { feedOfHub, openQuiet } from '../../../test/fetching/pushed-feed.js';
import { testDatabase } from '../../../test/harness/database.js';
import { FeedSite, renderFeed } from '../../../test/harness/feed-site.js';
import { type Reader, startReader } from '../../../test/harness/reader.js';
import { RunHistory } from '../../platform/jobs/runs/run-history.js';
import { FetchFailure } from '../fetcher.js';
import { FirstFetch } from '../schedule/first-fetch.js';

const WAIT_OPTIONS = { timeout: 20_000, interval: 50 };
const MINUTE_MS = 60_000;
const given = testDatabase();
const other = testDatabase();

/** Returns the fetches of a source, newest first, once the newest has this cause. */
const fetchesOf = (reader: Reader, user: ReturnType<Reader['as']>, { id, cause }: { id: string; cause: string }) =>
  vi.waitFor(async () => {
    await reader.app.get(RunHistory).store();
    const { body } = await user.send('GET', `/sources/${id}/fetches`);
    expect(body.items[0]).toMatchObject({ cause });
    return body.items;
  }, WAIT_OPTIONS);

it('tells who had a source fetched and what each fetch brought', async () => {
  const reader = await startReader(given.url, { policy: 'tiers' });
  const site = await FeedSite.start();
  site.publish('/feed', { guid: 'a', title: 'A' }, { guid: 'b', title: 'B' });
  const ann = reader.as('ann');
  const { id } = await ann.follow(site.url('/feed'));
  const newest = async (cause: string) => (await fetchesOf(reader, ann, { id, cause }))[0];
  const bytes = site.render('/feed')?.body.length;
  expect(await newest('follow')).toMatchObject({
    result: 'fetched',
    found: 2,
    new: 2,
    updated: 0,
    status: 200,
    bytes,
    host: '127.0.0.1',
    error: null,
    attempt: 1,
    ms: expect.any(Number),
    startedAt: expect.any(String),
  });

  reader.clock.advance(2 * MINUTE_MS);
  await ann.send('POST', '/feed/refresh');
  expect(await newest('refresh')).toMatchObject({ result: 'unchanged', new: 0, status: 304, bytes: 0 });

  site.show('/feed', [{ guid: 'a', title: 'A, corrected' }]);
  reader.clock.advance(10 * MINUTE_MS);
  await ann.send('GET', '/feed');
  expect(await newest('reader')).toMatchObject({ result: 'fetched', new: 0, updated: 1 });

  site.on('/feed', (_, response) => void response.writeHead(404).end());
  reader.clock.advance(150 * MINUTE_MS);
  const error = expect.stringContaining('404');
  expect(await newest('schedule')).toMatchObject({ result: 'source_error', status: 404, error, new: null });
});

it('is for followers and administrators, page by page', async () => {
  const reader = await startReader(given.url);
  const site = await FeedSite.start();
  site.publish('/feed', { guid: 'a', title: 'A' });
  const ann = reader.as('ann');
  const { id } = await ann.follow(site.url('/feed'));
  await fetchesOf(reader, ann, { id, cause: 'follow' });
  reader.clock.advance(2 * MINUTE_MS);
  await ann.send('POST', '/feed/refresh');
  await fetchesOf(reader, ann, { id, cause: 'refresh' });
  const stranger = await reader.as('bob').send('GET', `/sources/${id}/fetches`);
  expect(stranger.status).toBe(404);
  const page = async (query: string) =>
    (await reader.send({ url: `/api/v1/sources/${id}/fetches?limit=1${query}`, key: reader.adminKey })).json();
  const first = await page('');
  const second = await page(`&cursor=${first.nextCursor}`);
  expect([first.items[0].cause, second.items[0].cause, second.nextCursor]).toEqual(['refresh', 'follow', null]);
});

it('lists what a hub has pushed and what an import has fetched', async () => {
  const reader = await openQuiet(other.url, 'https://millrace.example/');
  try {
    const feed = await feedOfHub(reader);
    await feed.verify();
    expect(await feed.deliver(renderFeed('Pushed', [{ guid: 'p', title: 'P' }]))).toBe(202);
    const [pushed] = await fetchesOf(reader, feed.ann, { id: feed.id, cause: 'push' });
    expect(pushed).toMatchObject({ result: 'fetched', found: 1, new: 1, updated: 0, bytes: expect.any(Number) });

    const imported = await feed.ann.follow('http://127.0.0.1:2/imported');
    await other.database.pool.query("UPDATE fetch_states SET job_state = 'idle', last_fetch_at = NULL");
    await reader.app.get(FirstFetch).record(imported.id, new FetchFailure('NETWORK_ERROR', 'no answer'));
    const [failed] = await fetchesOf(reader, feed.ann, { id: imported.id, cause: 'import' });
    expect(failed).toMatchObject({ result: 'source_error', error: 'no answer', new: null });
  } finally {
    await reader.stop();
  }
});
