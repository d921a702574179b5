import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { startReader } from '../../../test/harness/reader.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { keyOf, SourcesStore } from '../../sources/sources.store.js';
import { FetchFailure } from '../fetcher.js';
import { FirstFetch } from './first-fetch.js';

const db = testDatabase();

async function newSource(url: string) {
  const identity = { type: 'rss', externalId: url };
  const ids = await new SourcesStore().ensure(db.database.db, [identity]);
  return ids.get(keyOf(identity)) ?? '';
}

async function stateOf(id: string) {
  const [state] = await db.database.db.select().from(fetchStates).where(eq(fetchStates.id, id));
  return state;
}

it('a source that was fetched before it is followed for the first time is not fetched again at once', async () => {
  const url = 'http://127.0.0.1:2/first';
  const sourceId = await newSource(url);
  const reader = await startReader(db.url);
  await reader.app.get(FirstFetch).record(sourceId, { posts: [], allows: { everySeconds: 7_200 } });
  const { id } = await reader.as('me').follow(url);
  expect(id).toBe(sourceId);
  expect(await stateOf(id)).toMatchObject({
    jobState: 'idle',
    lastSuccessAt: reader.clock.now(),
    allows: { everySeconds: 7_200 },
    validators: {},
  });
  // The source is due once the request has made its user active, which happens in the background.
  const nextFetchAt = async () => (await stateOf(id))?.nextFetchAt?.getTime() ?? 0;
  await expect.poll(nextFetchAt).toBeGreaterThan(reader.clock.now().getTime());
});

it('one that did not answer backs off as after any fetch', async () => {
  const sourceId = await newSource('http://127.0.0.1:2/failed');
  const reader = await startReader(db.url);
  await reader.app.get(FirstFetch).record(sourceId, new FetchFailure('NETWORK_ERROR', 'no answer'));
  expect(await stateOf(sourceId)).toMatchObject({ failures: 1, lastError: 'no answer', lastSuccessAt: null });
});

it('what is known of a source that was fetched on schedule stays as it is', async () => {
  const sourceId = await newSource('http://127.0.0.1:2/known');
  const validators = { etag: '"1"' };
  const fetched = { lastFetchAt: new Date('2026-01-01T00:00:00Z'), validators };
  await db.database.db.update(fetchStates).set(fetched).where(eq(fetchStates.id, sourceId));
  const reader = await startReader(db.url);
  await reader.app.get(FirstFetch).record(sourceId, { posts: [] });
  expect(await stateOf(sourceId)).toMatchObject(fetched);
});
