import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { testDatabase } from '../harness/database.js';
import { textsOf } from '../publishing/fake-platforms.js';
import { limited, out, startWorld } from '../publishing/world.js';

const db = testDatabase();
const MINUTE_MS = 60_000;
const inMinutes = (from: Date, minutes: number) => new Date(from.getTime() + minutes * MINUTE_MS).toISOString();

it('publishes the urgent first, and of equally urgent ones what was due first', async () => {
  const { fake, anna, accountId, time } = await startWorld(db.url, 'linkedin');
  const wanted: [priority: string, minutes: number][] = [
    ...([
      ['low', 1],
      ['normal', 5],
      ['high', 9],
      ['normal', 2],
    ] as [string, number][]),
    ...([
      ['low', 3],
      ['high', 6],
      ['high', 8],
      ['normal', 4],
      ['high', 7],
    ] as [string, number][]),
  ];
  // About as long as the next job waits for its turn before it goes back to the queue.
  fake.chances['slow after'] = 1;
  fake.slowMs = 495;
  const begin = time.now();
  for (const [priority, minutes] of wanted) {
    const content = { text: `${priority} ${minutes}` };
    await anna.publish({ accountId, content, priority, scheduledAt: inMinutes(begin, minutes) });
  }
  await time.pass(10 * MINUTE_MS);
  await expect.poll(() => fake.posts.length, { timeout: 20_000 }).toBe(wanted.length);
  const inOrder = ['high 6', 'high 7', 'high 8', 'high 9', 'normal 2', 'normal 4', 'normal 5', 'low 1', 'low 3'];
  expect(textsOf(fake)).toEqual(inOrder);
});

it('lets what is urgent overtake what waits for capacity', async () => {
  const { fake, anna, accountId, time } = await startWorld(
    db.url,
    'webhook',
    limited('webhook', { most: 1, windowMs: MINUTE_MS }),
  );
  await out(anna, accountId, 'First');
  const publish = async (text: string, priority: string) =>
    (await anna.publish({ accountId, content: { text }, priority })).id;
  const [second, third] = [await publish('Second', 'normal'), await publish('Third', 'normal')];
  const [urgent, last] = [await publish('Breaking', 'high'), await publish('No hurry', 'low')];
  expect((await anna.find(urgent)).waitingFor).toContain('capacity');
  for (const id of [urgent, second, third, last]) {
    await time.pass(MINUTE_MS + 1_000);
    await anna.when(id, 'published');
  }
  expect(textsOf(fake)).toEqual(['First', 'Breaking', 'Second', 'Third', 'No hurry']);
});

it('does not let one user’s thousand posts starve another’s one', async () => {
  const { fake, given, anna, accountId, as, time } = await startWorld(db.url, 'webhook');
  const dueAt = inMinutes(time.now(), 5);
  const { id } = await anna.publish({ accountId, content: { text: 'One of many' }, scheduledAt: dueAt });
  await db.database.db.execute(sql`
    INSERT INTO publications (user_id, account_id, platform, content, scheduled_at)
    SELECT user_id, account_id, platform, content, scheduled_at FROM publications, generate_series(1, 999) WHERE id = ${id}`);
  const ben = as('ben');
  const { id: bens } = await ben.account(given);
  const planned = await ben.publish({ accountId: bens, content: { text: 'The one' }, scheduledAt: dueAt });
  await time.pass(5 * MINUTE_MS);
  await ben.when(planned.id, 'published');
  // Each of the three workers may be busy with another one.
  expect(textsOf(fake).indexOf('The one')).toBeLessThanOrEqual(4);

  const before = fake.posts.length;
  const { id: later } = await ben.publish({ accountId: bens, content: { text: 'A later one' } });
  await ben.when(later, 'published');
  // No more than the queue held already.
  expect(textsOf(fake).indexOf('A later one') - before).toBeLessThan(150);
  expect(fake.posts.length).toBeLessThan(1_000);
});
