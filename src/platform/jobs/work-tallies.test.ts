import { sql } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { addToWorkMinutes, WorkTallies } from './work-tallies.js';

const given = testDatabase();
beforeEach(() => given.database.db.execute(sql`DELETE FROM work_minutes`));

const work = (kind: 'success' | 'failure' | 'neutral', target?: string) => ({
  feature: 'baking',
  result: kind === 'failure' ? 'burnt' : 'baked',
  kind,
  target,
});

async function stored() {
  const { rows } = await given.database.db.execute<{ target: string; result: string; count: number }>(
    sql`SELECT target, result, sum(count)::int AS count FROM work_minutes GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  return rows.map(({ target, result, count }) => `${target || 'all'} ${result} ${count}`);
}

it('counts by target from the first failure on, and the others together', async () => {
  const [one, other] = [new WorkTallies(), new WorkTallies()];
  for (const tallies of [one, other]) {
    tallies.count(work('success', 'oven'));
    tallies.count(work('success'));
    tallies.count(work('neutral', 'oven'));
    tallies.count(work('failure', 'oven'));
    tallies.count(work('success', 'oven'));
    tallies.count(work('success', 'pan'));
  }
  await Promise.all([addToWorkMinutes(given.database, one.take()), addToWorkMinutes(given.database, other.take())]);
  expect(await stored()).toEqual(['all baked 6', 'oven baked 2', 'oven burnt 2']);
  expect(one.take()).toEqual([]);
});

it('names 200 targets at most, and still counts failures beyond them', async () => {
  const tallies = new WorkTallies();
  for (let place = 0; place < 250; place++) tallies.count(work('failure', `oven ${place}`));
  const taken = tallies.take();
  expect(taken).toHaveLength(201);
  expect(taken.find(({ target }) => target === '')?.count).toBe(50);
});

it('keeps what is put back', async () => {
  const tallies = new WorkTallies();
  tallies.count(work('failure', 'oven'));
  tallies.putBack(tallies.take());
  expect(tallies.take()).toMatchObject([{ target: 'oven', count: 1 }]);
});
