import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { testDatabase } from '../../test/harness/database.js';
import { outgoingClient } from '../../test/harness/outgoing.js';
import { foundPost, postsOn } from '../../test/posts/made-posts.js';
import { parseConfig } from '../platform/config.js';
import { DueRowCounts } from '../platform/jobs/due-rows.js';
import { fetchStates } from '../sources/fetch-states.table.js';
import { sources } from '../sources/sources.table.js';
import { DueFetches, discoveryDelays, fetchingHealth } from './fetching-health.js';
import { SourceCatalogue } from './source-catalogue.js';

const given = testDatabase();
const now = new Date('2026-05-01T12:00:30Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const DAY = 86_400;

const health = () => fetchingHealth(given.database.db, { now, staleMs: parseConfig({}).alerts.staleMs });

function start(): DueRowCounts {
  const config = { ...parseConfig({}), publicUrl: 'https://millrace.example' };
  const dueRows = new DueRowCounts();
  const catalogue = new SourceCatalogue(config, outgoingClient(given.database), { isConfigured: false });
  new DueFetches(config, given.database, catalogue, dueRows).onModuleInit();
  return dueRows;
}

async function newSource(state: Partial<typeof fetchStates.$inferInsert>): Promise<string> {
  const { db } = given.database;
  const values = { type: 'rss', externalId: `https://example.org/${Math.random()}`, createdAt: ago(DAY) };
  const [source] = await db.insert(sources).values(values).returning();
  const id = source?.id ?? '';
  await db.insert(fetchStates).values({ id, type: 'rss', jobState: 'idle', activeFollowers: 1, ...state });
  return id;
}

it('counts sources by state, and warns of those that are overdue', async () => {
  await newSource({ nextFetchAt: ago(-60), intervalSeconds: 180 });
  await newSource({ nextFetchAt: ago(599), intervalSeconds: 180 });
  await newSource({ nextFetchAt: ago(3_000), intervalSeconds: 3_600 });
  await newSource({ nextFetchAt: ago(601), intervalSeconds: 180, jobState: 'waiting' });
  await newSource({ nextFetchAt: ago(7_300), intervalSeconds: 7_200, failing: true });
  await newSource({ activeFollowers: 0 });
  await newSource({ goneAt: ago(60) });
  const { stats, alerts } = await health();
  expect(stats.medianDelaySeconds).toBeNull();
  expect(stats).toMatchObject({ sources: 7, active: 4, failing: 1, paused: 1, gone: 1, stale: 2 });
  expect(alerts).toMatchObject([{ code: 'sources_stale', severity: 'warning', link: '/sources' }]);
  expect(alerts[0]?.message).toMatch(/^2 sources have been due for more than 10m,/);
});

it('tells how long posts had been out when they were found, but for those that tell nothing', async () => {
  const { save } = postsOn(given.database);
  const sourceId = await newSource({});
  const found = (name: string, publishedAt: Date | undefined, at: Date) =>
    save(sourceId, [{ ...foundPost(name), publishedAt }], at);
  await found('out before its source was known', ago(2 * DAY), ago(40));
  await found('without a time', undefined, ago(40));
  await found('quick', ago(50), ago(40));
  await found('slow', ago(70), ago(40));
  await found('later', ago(130), ago(10));
  await found('from a clock that is ahead', ago(-60), ago(10));
  await found('long ago', ago(9_000), ago(8_000));
  const { stats } = await health();
  expect(stats).toMatchObject({ medianDelaySeconds: 20, p95DelaySeconds: expect.closeTo(106.5) });
  expect(await discoveryDelays(given.database.db, { from: ago(3_600), to: now })).toEqual([
    { at: '2026-05-01T11:59:00.000Z', posts: 2, medianSeconds: 20, p95Seconds: expect.closeTo(29) },
    { at: '2026-05-01T12:00:00.000Z', posts: 2, medianSeconds: 60, p95Seconds: expect.closeTo(114) },
  ]);
});

it('counts what is due and not in the queue by an index, however many sources there are', async () => {
  const before = await start().read(now);
  expect(before.get('websub')).toEqual({ count: 0, since: null });
  await newSource({ nextFetchAt: ago(90), intervalSeconds: 180 });
  await newSource({ nextFetchAt: ago(10), intervalSeconds: 180, jobState: 'waiting' });
  await newSource({ nextFetchAt: ago(-10), intervalSeconds: 180 });
  const after = await start().read(now);
  expect(after.get('fetch-rss')?.count).toBe((before.get('fetch-rss')?.count ?? 0) + 1);
  expect(after.get('fetch-rss')?.since?.getTime()).toBeLessThanOrEqual(ago(90).getTime());
  const plan = await given.database.transaction(async (tx) => {
    await tx.execute(sql`SET LOCAL enable_seqscan = off`);
    return tx.execute<{ 'QUERY PLAN': string }>(sql`EXPLAIN SELECT next_fetch_at FROM ${fetchStates}
      WHERE type = 'rss' AND job_state <> 'waiting' AND next_fetch_at <= now() LIMIT 50000`);
  });
  expect(plan.rows.map((row) => row['QUERY PLAN']).join()).toContain('fetch_states_due');
});
