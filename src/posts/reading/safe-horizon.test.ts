import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { foundPost, postsOn } from '../../../test/posts/made-posts.js';
import { seededRandom } from '../../../test/program/seeded-random.js';
import { SafeHorizon } from './safe-horizon.js';

const WRITERS = 20;
const ROUNDS = 12;

const given = testDatabase();
let made: ReturnType<typeof postsOn>;
let horizon: SafeHorizon;
beforeAll(() => {
  made = postsOn(given.database);
  horizon = new SafeHorizon(given.database);
});
afterAll(() => made.sanitiser.onApplicationShutdown());

async function visible(aboveId: bigint, upTo: string): Promise<bigint[]> {
  const query = 'SELECT id FROM posts WHERE id > $1 AND id <= $2 ORDER BY id';
  const { rows } = await given.database.pool.query<{ id: string }>(query, [String(aboveId), upTo]);
  return rows.map(({ id }) => BigInt(id));
}

it('holds back posts above one that is not committed yet', async () => {
  const [slow, quick] = [await made.newSource(), await made.newSource()];
  const prepared = await made.store.prepare(slow, [foundPost('slow')]);
  const before = await horizon.current();
  expect(before.isSettled).toBe(true);
  let quickId = '';
  const slowId = await given.database.transaction(async (db) => {
    const [id = ''] = (await made.store.save(db, prepared)).added;
    [quickId = ''] = (await made.save(quick, [foundPost('quick')])).added;
    expect(BigInt(quickId)).toBeGreaterThan(BigInt(id));
    const held = await horizon.current();
    expect(BigInt(held.id)).toBeLessThan(BigInt(id));
    expect(held.isSettled).toBe(false);
    return id;
  });
  const { id, isSettled } = await horizon.current();
  expect([isSettled, BigInt(id) >= BigInt(quickId)]).toEqual([true, true]);
  expect(await visible(BigInt(slowId) - 1n, id)).toEqual([slowId, quickId].map(BigInt));
});

it('starts at nothing, before the first post', async () => {
  await given.database.transaction(async (db, client) => {
    await client.query('CREATE TEMP SEQUENCE posts_id_seq');
    const local = new SafeHorizon({ pool: db.$client } as typeof given.database);
    expect(await local.current()).toEqual({ id: '0', isSettled: true });
  });
});

it('takes one lock for a transaction with many inserts', async () => {
  const sources = await Promise.all(Array.from({ length: 5 }, () => made.newSource()));
  const prepared = await Promise.all(sources.map((id) => made.store.prepare(id, [foundPost('one')])));
  await given.database.transaction(async (db, client) => {
    for (const one of prepared) await made.store.save(db, one);
    const { rows } = await client.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()");
    expect(rows).toHaveLength(1);
  });
});

it('lets a client that asks for ids above its last one miss nothing, while many writers commit late or give up', async () => {
  const random = seededRandom(24);
  const sources = await Promise.all(Array.from({ length: WRITERS }, () => made.newSource()));
  const start = BigInt((await horizon.current()).id);
  const saved: bigint[] = [];
  let writing = true;

  const writers = sources.map(async (sourceId, writer) => {
    for (let round = 0; round < ROUNDS; round++) {
      const texts = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, at) => `${writer} ${round} ${at}`);
      const prepared = await made.store.prepare(
        sourceId,
        texts.map((text) => foundPost(text)),
      );
      const givesUp = random() < 0.2;
      await given.database
        .transaction(async (db, client) => {
          const { added } = await made.store.save(db, prepared);
          await client.query('SELECT pg_sleep($1)', [random() * 0.03]);
          if (givesUp) throw new Error('the worker was killed');
          return added;
        })
        .then(
          (added) => saved.push(...added.map(BigInt)),
          () => undefined,
        );
    }
  });
  const clients = Array.from({ length: 3 }, async () => {
    const seen: bigint[] = [];
    for (let isLast = false; ; isLast = !writing) {
      const { id } = await horizon.current();
      seen.push(...(await visible(seen.at(-1) ?? start, id)));
      if (isLast) return seen;
    }
  });
  await Promise.all(writers);
  writing = false;
  const expected = saved.toSorted((a, b) => (a < b ? -1 : 1));
  expect(expected.length).toBeGreaterThan(WRITERS * ROUNDS * 0.5);
  for (const seen of await Promise.all(clients)) expect(seen).toEqual(expected);
});
