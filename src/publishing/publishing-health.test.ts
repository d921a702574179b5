import { expect, it } from 'vitest';
import { testDatabase } from '../../test/harness/database.js';
import { users } from '../auth/users/users.table.js';
import { accounts } from './accounts/accounts.table.js';
import type { PublicationStatus } from './publications/publication-status.js';
import { publicationChanges, publications } from './publications/publications.table.js';
import { publishingHealth } from './publishing-health.js';

const given = testDatabase();
const now = new Date('2026-05-01T12:00:00Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

const read = () => publishingHealth(given.database.db, now);

async function newAccount(status: 'active' | 'broken', removedAt?: Date) {
  const { db } = given.database;
  const [user] = await db.insert(users).values({}).returning();
  const userId = user?.id ?? '';
  const values = { userId, platform: 'webhook', name: 'n', credentials: '', status, removedAt };
  const [account] = await db.insert(accounts).values(values).returning();
  return { userId, accountId: account?.id ?? '' };
}

it('counts what is due, what went out and what failed in the last hour, and warns of what a person must do', async () => {
  const { db } = given.database;
  const none = { due: 0, oldestDueSeconds: null, publishedLastHour: 0, failedLastHour: 0, successRate: null };
  expect(await read()).toEqual({ stats: none, alerts: [] });
  const account = await newAccount('active');
  await newAccount('broken');
  await newAccount('broken', minutesAgo(1));

  const add = async (status: PublicationStatus, more: Partial<typeof publications.$inferInsert> = {}) => {
    const content = { text: 'Hello', mediaUrls: [] };
    const values = { ...account, platform: 'webhook', content, status, scheduledAt: minutesAgo(5), jobState: 'idle' };
    const [row] = await db
      .insert(publications)
      .values({ ...values, ...more } as typeof publications.$inferInsert)
      .returning();
    return row?.id ?? '';
  };
  await add('scheduled');
  await add('scheduled', { scheduledAt: minutesAgo(-5) });
  await add('queued', { jobState: 'waiting' });
  await add('unknown');
  const ended = async (to: 'published' | 'failed', at: Date) =>
    db.insert(publicationChanges).values({ publicationId: await add(to), at, from: 'publishing', to, reason: 'r' });
  await ended('published', minutesAgo(59));
  await ended('published', minutesAgo(61));
  await ended('failed', minutesAgo(1));

  const { stats, alerts } = (await read()) ?? {};
  expect(stats).toEqual({ due: 2, oldestDueSeconds: 300, publishedLastHour: 1, failedLastHour: 1, successRate: 0.5 });
  expect(alerts).toMatchObject([
    { code: 'accounts_broken', message: expect.stringContaining('1 account needs reconnecting') },
    { code: 'publications_unknown', message: expect.stringContaining('1 post') },
  ]);
});
