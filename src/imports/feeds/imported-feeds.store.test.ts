import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { postsOn } from '../../../test/posts/made-posts.js';
import { parseConfig } from '../../platform/config.js';
import { Clock } from '../../platform/time/clock.js';
import { ImportsStore } from '../imports.store.js';
import { ImportBatchesStore } from '../items/import-batches.store.js';
import { ImportItemsStore } from '../items/import-items.store.js';
import { ImportedFeedsStore } from './imported-feeds.store.js';

const db = testDatabase();
const clock = new Clock();

/** Creates an import with this many feeds, each with a batch that was written. */
async function madeImport(statuses: string[]) {
  const ask = async (text: string, values: unknown[]) =>
    (await db.database.pool.query<{ id: string }>(text, values)).rows.map(({ id }) => id);
  const [userId] = await ask(`INSERT INTO users (name) VALUES ($1) RETURNING id`, [`user ${Math.random()}`]);
  const [importId = ''] = await ask('INSERT INTO imports (user_id) VALUES ($1) RETURNING id', [userId]);
  const feedIds = await ask(
    `INSERT INTO import_feeds (import_id, url, status, job_state) SELECT $1, 'a feed', status, 'done'
     FROM unnest($2::text[]) AS status RETURNING id`,
    [importId, statuses],
  );
  const batchIds = await ask(
    `INSERT INTO import_batches (import_id, feed_id, found, job_state) SELECT $1, feed, 2, 'done'
     FROM unnest($2::bigint[]) AS feed RETURNING id`,
    [importId, feedIds],
  );
  const statusOf = async (table: string, id: string | undefined) =>
    (await db.database.pool.query(`SELECT status FROM ${table} WHERE id = $1`, [id])).rows[0].status;
  return { importId, feedIds, batchIds, ask, statusOf };
}

/** Waits until a transaction is blocked by a row lock. */
const somebodyWaits = () =>
  vi.waitFor(async () => {
    const { rows } = await db.database.pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(rows).not.toEqual([]);
  });

describe('ImportedFeedsStore', () => {
  const store = () => new ImportedFeedsStore(db.database, postsOn(db.database).events, clock);
  const endFinished = () => new ImportsStore(db.database, postsOn(db.database).events, clock).endFinished();

  it('a feed that is opened again while the last of the others ends keeps its import open', async () => {
    const { importId, feedIds, statusOf } = await madeImport(['done', 'failed']);
    const [, failed = ''] = feedIds;
    let ended: Promise<void> | undefined;
    await db.database.transaction(async (inside) => {
      await store().reopen(inside, failed, 'queued');
      ended = endFinished();
      await Promise.race([ended, somebodyWaits()]);
    });
    await ended;
    expect([await statusOf('import_feeds', failed), await statusOf('imports', importId)]).toEqual([
      'queued',
      'running',
    ]);
  });

  it('a feed whose fetch has failed ends once what was staged before is written, and keeps the reason', async () => {
    const { importId, feedIds, batchIds, ask, statusOf } = await madeImport(['fetching']);
    const feed = { id: feedIds[0] ?? '', importId };
    await ask(`UPDATE import_batches SET job_state = 'waiting' WHERE id = $1`, batchIds);
    await ask(`UPDATE import_feeds SET job_state = 'failed', error = 'not found' WHERE id = $1`, feedIds);
    await db.database.transaction((inside) => store().failed(inside, feed.id));
    expect([await statusOf('import_feeds', feed.id), await statusOf('imports', importId)]).toEqual([
      'storing',
      'running',
    ]);
    await ask(`UPDATE import_batches SET job_state = 'done' WHERE id = $1`, batchIds);
    await db.database.transaction((inside) => store().settle(inside, feed));
    await endFinished();
    expect([await statusOf('import_feeds', feed.id), await statusOf('imports', importId)]).toEqual([
      'failed',
      'failed',
    ]);
    expect(await ask('SELECT error AS id FROM import_feeds WHERE id = $1', feedIds)).toEqual(['not found']);
  });

  it('nothing of a cancelled import ends otherwise', async () => {
    const { importId, feedIds, ask, statusOf } = await madeImport(['storing']);
    await ask(`UPDATE imports SET status = 'cancelled' WHERE id = $1`, [importId]);
    const feed = { id: feedIds[0] ?? '', importId };
    expect(await db.database.transaction((inside) => store().settle(inside, feed))).toBe(false);
    expect(await statusOf('import_feeds', feed.id)).toBe('storing');
  });
});

describe('ImportBatchesStore', () => {
  it('counts each of two items of a batch that are stored at once', async () => {
    const { importId, batchIds, ask } = await madeImport(['done']);
    const [batchId = ''] = batchIds;
    const [one = '', two = ''] = await ask(
      `INSERT INTO failed_items (import_id, batch_id, place, item, reason, failed_at)
       SELECT $1, $2, place, '{}', 'bad', now() FROM generate_series(1, 2) AS place RETURNING id`,
      [importId, batchId],
    );
    const batches = new ImportBatchesStore(parseConfig({}), db.database);
    const items = new ImportItemsStore(db.database, clock);
    const store = (itemId: string, until: () => Promise<unknown>) =>
      db.database.transaction(async (inside) => {
        await items.replayed(inside, itemId, itemId);
        await batches.recount(inside, batchId);
        await until();
      });
    let second: Promise<void> | undefined;
    await store(one, async () => {
      second = store(two, setImmediate);
      await somebodyWaits();
    });
    await second;
    expect(await ask('SELECT failed AS id FROM import_batches WHERE id = $1', [batchId])).toEqual([0]);
  });
});
