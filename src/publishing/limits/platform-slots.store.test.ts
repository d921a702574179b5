import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { PlatformSlotsStore } from './platform-slots.store.js';
import { platformSlots } from './platform-slots.table.js';

const given = testDatabase();
const HOUR_MS = 3_600_000;

it('forgets calls that count no more, and none that do or whose end is not known', async () => {
  const { db } = given.database;
  const ended = (hours: number) => ({ endedAt: sql`now() - make_interval(hours => ${hours})` });
  const call = { platform: 'linkedin', userId: '1', takenAt: new Date(0) };
  const calls = [ended(100), ended(47), ended(1), { endedAt: null }];
  await db.insert(platformSlots).values(calls.map((end, at) => ({ ...call, ...end, publicationId: String(at) })));
  const limit = { most: 20, windowMs: 24 * HOUR_MS };
  const limits = { platformLimits: new Map([['linkedin', limit]]), userLimits: new Map() };
  const store = new PlatformSlotsStore(limits, given.database);
  await store.forget();
  const left = await db.select().from(platformSlots).orderBy(platformSlots.publicationId);
  expect(left.map(({ publicationId }) => publicationId)).toEqual(['1', '2', '3']);
  const { platformCapacity } = await store.calls('linkedin');
  expect(platformCapacity.now).toBe(18);
});
