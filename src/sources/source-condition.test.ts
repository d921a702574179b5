import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { demandParts, fetched, newFeed, newUser } from '../../test/fetching/demand-parts.js';
import { TestClock } from '../../test/harness/api.js';
import { testDatabase } from '../../test/harness/database.js';
import { type FetchState, fetchStates } from './fetch-states.table.js';
import { SourceViewsStore } from './source-views.store.js';

const db = testDatabase();
const clock = new TestClock();
const now = clock.now();
const minutes = (count: number) => new Date(now.getTime() + count * 60_000);

/** The condition of a followed source in that state. */
async function conditionOf(state: Partial<FetchState>) {
  const { database } = db;
  const parts = demandParts(database);
  const user = await newUser(database);
  const id = await parts.following.follow(user, newFeed());
  await fetched(database, [id], { jobState: 'done', activeFollowers: 1, nextFetchAt: minutes(20), ...state });
  await database.db
    .update(fetchStates)
    .set({ activeFollowers: 1, ...state })
    .where(eq(fetchStates.id, id));
  const views = new SourceViewsStore(database, clock);
  const seen = await views.find(user, id);
  const condition = seen?.condition.state;
  expect(await views.list(user, { condition }, { limit: 10 })).toHaveLength(1);
  expect(await views.list(user, { condition: condition === 'ok' ? 'gone' : 'ok' }, { limit: 10 })).toEqual([]);
  return seen?.condition;
}

const fine = { lastFetchAt: minutes(-5), lastSuccessAt: minutes(-5) };
const failed = { ...fine, failures: 5, failingSince: minutes(-180), lastError: 'site.example answered 404' };

it.each<[string, Partial<FetchState>, string, string]>([
  ['fetched', fine, 'ok', 'Fetched 5 minutes ago; next fetch in 20 minutes.'],
  [
    'fetched, with older posts missing',
    { ...fine, lastError: 'site.example answered 500', gaps: [{ cursor: 'x', floor: '0' }] },
    'ok',
    'Fetched 5 minutes ago; next fetch in 20 minutes. Some older posts are missing: site.example answered 500.',
  ],
  [
    'failed once',
    { ...failed, failures: 1, failingSince: minutes(-5) },
    'failing',
    'site.example answered 404. Failed once; next attempt in 20 minutes.',
  ],
  [
    'failed for hours',
    failed,
    'failing',
    'site.example answered 404. Failed 5 times in 3 hours; next attempt in 20 minutes.',
  ],
  [
    'failed and being tried again',
    { ...failed, jobState: 'waiting' },
    'failing',
    'site.example answered 404. Failed 5 times in 3 hours; next attempt now.',
  ],
  [
    'failed, and told when to come back',
    { ...failed, lastError: 'site.example answered 429', notBefore: minutes(20) },
    'waiting',
    'site.example answered 429; next attempt in 20 minutes.',
  ],
  [
    'not asked because its host is closed',
    { ...fine, lastError: 'site.example is left alone until then', notBefore: minutes(20) },
    'waiting',
    'site.example is left alone until then; next attempt in 20 minutes.',
  ],
  [
    'not asked because its host was closed until now',
    { ...fine, lastError: 'site.example was left alone', notBefore: minutes(-1), nextFetchAt: minutes(-1) },
    'waiting',
    'site.example was left alone; next attempt now.',
  ],
  [
    'without a worker',
    { ...fine, waitsForWorker: true, lastError: 'no worker answers for instagram' },
    'waiting',
    'no worker answers for instagram. It is fetched as soon as a worker is there.',
  ],
  [
    'new',
    { lastFetchAt: null, lastSuccessAt: null, jobState: 'waiting' },
    'waiting',
    'It has not been fetched yet; next attempt now.',
  ],
  [
    'without active followers',
    { ...failed, activeFollowers: 0 },
    'paused',
    'None of its followers has been active lately. It is fetched again when one returns.',
  ],
  [
    'gone',
    { ...failed, goneAt: minutes(-9), lastError: 'site.example answered 410', nextFetchAt: null },
    'gone',
    'site.example answered 410. It is fetched again on request, or when somebody follows it.',
  ],
])('a source that is %s', async (_what, given, state, reason) => {
  expect(await conditionOf(given)).toEqual({ state, reason });
});
