import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../test/harness/database.js';
import { startReader } from '../../test/harness/reader.js';
import { foundPost, postsOn } from '../../test/posts/made-posts.js';
import { recordDeadLetter } from '../platform/jobs/dead-letters/record-dead-letter.js';
import { importFeeds } from './feeds/import-feeds.table.js';
import type { Outcome } from './import-status.js';
import { ImportsModule } from './imports.module.js';
import { failedItems } from './items/failed-items.table.js';
import type { Fields } from './items/field-mapping.js';
import { fieldTerms } from './items/field-terms.js';
import { importBatches } from './items/import-batches.table.js';
import { importItems } from './items/import-items.table.js';

const db = testDatabase();
let users = 0;

interface Stored {
  externalId: string;
  fields?: Fields;
  outcome?: Outcome;
}

/** Creates an import of two feeds without workers, into which the test inserts items. */
async function start(fields: object = { company: 'company', location: 'location' }) {
  const reader = await startReader(db.url, { roles: new Set(['api']) }, [ImportsModule]);
  const ann = reader.as(`user-${++users}`);
  const feeds = [1, 2].map((n) => `https://example.org/${users}/${n}`);
  const { id: importId } = (await ann.send('POST', '/imports/start', { feeds, fields })).body;
  const get = (query: string) => ann.send('GET', `/imports/${importId}/items${query}`);
  const names = async (query: string) =>
    (await get(query)).body.items.map(({ externalId }: { externalId: string }) => externalId);
  const [first = '', second = ''] = (await ann.send('GET', `/imports/${importId}/feeds`)).body.items.map(
    ({ id }: { id: string }) => id,
  );
  return { ann, importId, get, names, feeds: [first, second] as const };
}

async function batchOf(importId: string, feedId: string): Promise<{ batchId: string; sourceId: string }> {
  const sourceId = await postsOn(db.database).newSource();
  await db.database.db.update(importFeeds).set({ sourceId }).where(sql`id = ${feedId}`);
  const [batch] = await db.database.db
    .insert(importBatches)
    .values({ importId, feedId, found: 0, jobState: 'done' })
    .returning();
  return { batchId: batch?.id ?? '', sourceId };
}

async function store(importId: string, feedId: string, stored: Stored[]): Promise<string> {
  const { batchId, sourceId } = await batchOf(importId, feedId);
  const posts = postsOn(db.database);
  for (const { externalId, fields, outcome = 'new' } of stored) {
    const post = foundPost(externalId, { title: `Title of ${externalId}`, url: `https://example.org/${externalId}` });
    const { added } = await posts.save(sourceId, [post]);
    const fieldTermsOf = fields && fieldTerms(fields);
    await db.database.db
      .insert(importItems)
      .values({ importId, postId: added[0] ?? '', batchId, outcome, fields, fieldTerms: fieldTermsOf });
  }
  return sourceId;
}

describe('the items of an import', () => {
  it('are listed in the order of their posts, page by page, by status and by feed', async () => {
    const { importId, get, names, feeds } = await start();
    const sourceId = await store(importId, feeds[0], [
      { externalId: 'a', fields: { company: 'Acme', location: ['Berlin', 'Bonn'] } },
      { externalId: 'b', outcome: 'updated' },
    ]);
    await store(importId, feeds[1], [{ externalId: 'c' }, { externalId: 'd', outcome: 'unchanged' }]);
    const { items } = (await get('')).body;
    expect(items[0]).toEqual({
      postId: expect.any(String),
      sourceId,
      externalId: 'a',
      identity: `${sourceId}#a`,
      feedId: feeds[0],
      status: 'new',
      title: 'Title of a',
      url: 'https://example.org/a',
      publishedAt: '2026-01-01T00:00:00.000Z',
      fields: { company: 'Acme', location: ['Berlin', 'Bonn'] },
    });
    expect(await names('')).toEqual(['a', 'b', 'c', 'd']);
    const { nextCursor } = (await get('?limit=3')).body;
    expect(await names(`?limit=3&cursor=${nextCursor}`)).toEqual(['d']);
    expect(await names('?status=new')).toEqual(['a', 'c']);
    expect(await names('?status=updated')).toEqual(['b']);
    expect(await names(`?feed=${feeds[1]}`)).toEqual(['c', 'd']);
    expect(await names(`?feed=${feeds[1]}&status=unchanged`)).toEqual(['d']);
  });

  it('are found by their fields: all that are asked for, whatever the case, or by how they begin', async () => {
    const { importId, names, feeds } = await start();
    await store(importId, feeds[0], [
      { externalId: 'a', fields: { company: 'Acme', location: 'Berlin' } },
      { externalId: 'b', fields: { company: 'Bolt', location: ['Berlin, Germany', 'BERLIN'] } },
      { externalId: 'c', fields: { company: 'Acme', location: 'Bonn' } },
      { externalId: 'd', fields: { company: '100% = *' } },
      { externalId: 'e' },
    ]);
    expect(await names('?field.location=berlin')).toEqual(['a', 'b']);
    expect(await names('?field.location=%20BERLIN%20&field.company=acme')).toEqual(['a']);
    expect(await names('?field.location=Berlin&field.location=Berlin,%20Germany')).toEqual(['b']);
    expect(await names('?field.location=Ber')).toEqual([]);
    expect(await names('?field.location=Ber*')).toEqual(['a', 'b']);
    expect(await names('?field.location=B*&field.company=Acme')).toEqual(['a', 'c']);
    expect(await names('?field.location=*')).toEqual(['a', 'b', 'c']);
    expect(await names(`?field.company=${encodeURIComponent('100% = *')}`)).toEqual(['d']);
    expect(await names('?field.company=%25*')).toEqual([]);
    const other = await start();
    expect(await other.names('?field.location=berlin')).toEqual([]);
  });

  it.each([
    ['?field.colour=red', 'field.colour'],
    ['?field.=x', 'field.'],
    [`?field.company=${'x'.repeat(300)}`, 'field.company'],
    ['?field.company=%00', 'field.company'],
    ['?status=failed&field.company=Acme', 'field.company'],
    ['?colour=red', 'colour'],
    ['?field=red', 'field'],
    ['?status=stored', 'status'],
    ['?feed=x', 'feed'],
    ['?cursor=x', 'cursor'],
  ])('are not listed for %s, and the error names the parameter', async (query, path) => {
    const { get } = await start();
    const { status, body } = await get(query);
    expect([status, body.code, body.errors.map((error: { path: string }) => error.path)]).toEqual([
      400,
      'validation_failed',
      [path],
    ]);
  });

  it('of an import without fields are not found by any', async () => {
    const { get } = await start({});
    expect((await get('?field.company=Acme')).body.detail).toBe('field.company: this import has no fields');
  });

  it('that failed are listed with the reason and their dead letter, until they are stored', async () => {
    const { importId, get, feeds } = await start();
    const { batchId, sourceId } = await batchOf(importId, feeds[0]);
    const failedAt = new Date('2026-01-02T00:00:00Z');
    const common = { importId, batchId, failedAt, jobState: 'failed', item: { place: 1 } } as const;
    const rows = await db.database.db
      .insert(failedItems)
      .values([
        { ...common, place: 3, externalId: 'x', reason: 'no title' },
        { ...common, place: 7, reason: 'it is empty' },
        { ...common, place: 9, reason: 'stored since', postId: '1' },
      ])
      .returning();
    const itemId = rows[0]?.id ?? '';
    await recordDeadLetter(db.database.db, {
      queue: 'import-item',
      jobName: 'import-item',
      subject: itemId,
      payload: { itemId },
      history: [{ at: failedAt.toISOString(), reason: 'no title' }],
    });
    const { items, nextCursor } = (await get('?status=failed&limit=1')).body;
    expect(items).toEqual([
      {
        id: itemId,
        feedId: feeds[0],
        externalId: 'x',
        identity: `${sourceId}#x`,
        place: 3,
        reason: 'no title',
        failedAt: failedAt.toISOString(),
        deadLetterId: expect.any(String),
      },
    ]);
    expect((await get(`?status=failed&cursor=${nextCursor}`)).body.items).toMatchObject([
      { place: 7, externalId: null, identity: null, reason: 'it is empty', deadLetterId: null },
    ]);
    expect((await get(`?status=failed&feed=${feeds[1]}`)).body.items).toEqual([]);
    expect((await get('')).body.items).toEqual([]);
  });
});
