import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../test/harness/api.js';
import { testDatabase } from '../../test/harness/database.js';
import { HAS_ERROR } from '../sources/fetch-states.table.js';
import { FollowingModule } from './following.module.js';

const given = testDatabase();
const URL = '/api/v1/admin/sources';
let api: Api;

beforeAll(async () => {
  api = await startApi({ databaseUrl: given.url, modules: [FollowingModule], config: { roles: new Set(['api']) } });
  await given.database.db.execute(sql`
    INSERT INTO sources (id, type, external_id, title, followers) VALUES
      (1, 'rss', 'https://ann:secret@one.example/feed?token=s3cret', 'One', 2), (2, 'rss', 'https://two.example/', 'Two', 1),
      (3, 'instagram', 'three', NULL, 1), (4, 'rss', 'https://four.example/', 'Four 100%', 0),
      (5, 'rss', 'https://five.example/', 'Five', 3), (6, 'rss', 'https://six.example/', 'Six', 1),
      (7, 'rss', 'https://seven.example/', 'Seven', 1)`);
  await given.database.db.execute(sql`
    INSERT INTO fetch_states (id, type, job_state, active_followers, host, failures, failing_since, last_error, gone_at,
      last_success_at, waits_for_worker, moved_to, next_fetch_at)
    VALUES
      (1, 'rss', 'idle', 2, 'one.example', 0, NULL, NULL, NULL, now(), false, NULL, now()),
      (2, 'rss', 'idle', 1, 'two.example', 3, now(), 'two.example answered 500', NULL, now(), false, NULL, now()),
      (3, 'instagram', 'idle', 1, NULL, 0, NULL, 'no worker answers for instagram', NULL, NULL, true, NULL, now()),
      (4, 'rss', 'idle', 0, 'four.example', 0, NULL, NULL, NULL, now(), false, NULL, NULL),
      (5, 'rss', 'idle', 3, 'two.example', 9, now(), 'two.example answered 404', NULL, NULL, false, NULL, now()),
      (6, 'rss', 'done', 1, 'six.example', 3, now(), 'six.example answered 410', now(), now(), false, NULL, NULL),
      (7, 'rss', 'done', 0, 'seven.example', 0, NULL, NULL, NULL, now(), false, 1, NULL)`);
});
afterAll(() => api?.stop());

const list = async (query = '') => (await api.send({ url: `${URL}?${query}`, key: api.adminKey })).json();
const ids = async (query = '') => (await list(query)).items.map(({ id }: { id: string }) => id);

describe('the list of all sources', () => {
  it('begins with the sources that have failed most often, and leaves out those that have moved', async () => {
    expect(await ids()).toEqual(['5', '2', '6', '3', '1', '4']);
  });

  it('shows what an operator needs to know, without secrets', async () => {
    const { items } = await list();
    expect(items[0]).toMatchObject({
      id: '5',
      type: 'rss',
      title: 'Five',
      host: 'two.example',
      followers: 3,
      activeFollowers: 3,
      consecutiveFailures: 9,
      lastError: 'two.example answered 404',
      condition: { state: 'failing' },
      nextFetchAt: expect.any(String),
      scheduleUrl: '/api/v1/sources/5/schedule',
    });
    expect(items[4]).toMatchObject({
      externalId: 'https://***@one.example/feed?token=***',
      condition: { state: 'ok' },
    });
    expect((await api.send({ url: items[0].scheduleUrl, key: api.adminKey })).statusCode).toBe(200);
  });

  it.each([
    ['state=failing', ['5', '2']],
    ['state=gone', ['6']],
    ['state=waiting', ['3']],
    ['state=paused', ['4']],
    ['state=ok', ['1']],
    ['state=active', ['5', '2', '3', '1']],
    ['type=instagram', ['3']],
    ['host=Two.example', ['5', '2']],
    ['error=answered%20404', ['5']],
    ['q=100%25', ['4']],
    ['q=SIX.example', ['6']],
    ['host=two.example&state=failing&error=500&type=rss&q=two', ['2']],
    ['q=nothing', []],
  ])('filters by %s', async (query, found) => {
    expect(await ids(query)).toEqual(found);
  });

  it.each([1, 2, 3, 5])('shows every source once, %i at a time', async (limit) => {
    const seen: string[] = [];
    let cursor = '';
    do {
      const { items, nextCursor } = await list(`limit=${limit}${cursor && `&cursor=${cursor}`}`);
      seen.push(...items.map(({ id }: { id: string }) => id));
      cursor = nextCursor;
    } while (cursor);
    expect(seen).toEqual(['5', '2', '6', '3', '1', '4']);
  });

  it('is for admins who act for themselves', async () => {
    const made = await api.send({ method: 'POST', url: '/api/v1/users', key: api.adminKey, payload: {} });
    const payload = { userId: made.json().id };
    const { key } = (await api.send({ method: 'POST', url: '/api/v1/keys', key: api.adminKey, payload })).json();
    expect((await api.send({ url: URL, key })).json()).toMatchObject({ status: 403, code: 'admin_required' });
    expect((await api.send({ url: URL })).statusCode).toBe(401);
  });

  it('refuses a state or a cursor that does not exist', async () => {
    expect(await list('state=broken')).toMatchObject({ status: 400, errors: [{ path: 'state' }] });
    expect(await list('cursor=abc')).toMatchObject({ status: 400, errors: [{ path: 'cursor' }] });
  });

  it('reads the sources with an error from their index', async () => {
    const { rows } = await given.database.transaction(async (db) => {
      await db.execute(sql`SET LOCAL enable_seqscan = off`);
      await db.execute(sql`SET LOCAL enable_bitmapscan = off`);
      return db.execute<{ 'QUERY PLAN': string }>(sql`
        EXPLAIN SELECT id FROM fetch_states
        WHERE ${HAS_ERROR} AND failures <= 9
        ORDER BY failures DESC, id LIMIT 50`);
    });
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('fetch_states_with_error');
    expect(plan).not.toContain('Sort');
  });
});
