import { eq, sql } from 'drizzle-orm';
import { expect, it, vi } from 'vitest';
import type { Alert } from '../../src/operations/health/health-report.js';
import { parseConfig } from '../../src/platform/config.js';
import { publications } from '../../src/publishing/publications/publications.table.js';
import { testDatabase } from '../harness/database.js';
import { adminKey, type Publishing, startPublishing, startWebhook } from '../publishing/publisher.js';
import { SECRET_KEY } from '../publishing/seeded-publications.js';

const db = testDatabase();
const WITHIN_A_MINUTE = { timeout: 60_000, interval: 500 };
const alerts = { ...parseConfig({}).alerts, waiting: 300 };
const secretKeys = [SECRET_KEY];

async function ask({ send }: Publishing, path: string) {
  return (await send({ url: `/api/v1${path}`, key: adminKey })).json();
}

async function backlogAlerts(millrace: Publishing): Promise<string[]> {
  const { alerts } = (await ask(millrace, '/health')) as { alerts: Alert[] };
  return alerts.filter(({ code }) => code === 'queue_backlog').map(({ message }) => message);
}

it('reports a backlog of posts that wait in rows, more than the queue is ever given, until it is worked off', {
  timeout: 180_000,
}, async () => {
  const millrace = await startPublishing(db.url, { roles: new Set(['api', 'scheduler']), alerts, secretKeys });
  const { given, fake } = await startWebhook();
  const anna = millrace.as('anna');
  const { id: accountId } = await anna.account(given);
  const { id } = await anna.publish({ accountId, content: { text: 'Post 1' }, scheduledAt: '2100-01-01T00:00:00Z' });
  await db.database.db.execute(sql`
    INSERT INTO ${publications} (user_id, account_id, platform, content, scheduled_at, job_state)
    SELECT user_id, account_id, platform, jsonb_build_object('text', 'Post ' || n, 'mediaUrls', '[]'::jsonb), now(), 'idle'
    FROM ${publications}, generate_series(2, 507) AS n WHERE id = ${id}`);

  // A canary may wait with them.
  await vi.waitFor(async () => {
    expect(await backlogAlerts(millrace)).toEqual([expect.stringMatching(/^50[67] jobs wait .* publish-webhook/)]);
  }, WITHIN_A_MINUTE);
  const { items } = await ask(millrace, '/queues');
  const { waiting, waitingRows } = items.find(({ name }: { name: string }) => name === 'publish-webhook');
  expect(waiting).toBeLessThanOrEqual(200);
  expect(waiting + waitingRows).toBeGreaterThanOrEqual(506);

  await startPublishing(db.url, { roles: new Set(['scheduler', 'worker']), alerts, secretKeys });
  await vi.waitFor(() => expect(fake.posts).toHaveLength(506), WITHIN_A_MINUTE);
  await vi.waitFor(async () => expect(await backlogAlerts(millrace)).toEqual([]), WITHIN_A_MINUTE);
  await db.database.db.delete(publications).where(eq(publications.id, id));
});

it('takes posts that wait for a limit for no backlog', { timeout: 120_000 }, async () => {
  const limit = new Map([['webhook', { most: 1, windowMs: 3_600_000 }]]);
  const millrace = await startPublishing(db.url, {
    roles: new Set(['api', 'scheduler', 'worker']),
    alerts: { ...alerts, waiting: 3 },
    platformLimits: limit,
    secretKeys,
  });
  const { given, fake } = await startWebhook();
  const bert = millrace.as('bert');
  const { id: accountId } = await bert.account(given);
  await db.database.pool.query('DELETE FROM platform_slots');
  for (let at = 0; at < 10; at++) await bert.publish({ accountId, content: { text: `Later ${at}` } });
  await vi.waitFor(() => expect(fake.posts).toHaveLength(1), WITHIN_A_MINUTE);
  await vi.waitFor(async () => {
    const { items, ...rest } = await ask(millrace, '/queues');
    expect(rest).toEqual({ nextCursor: null, rabbitmq: null });
    const queue = items.find(({ name }: { name: string }) => name === 'publish-webhook');
    expect(queue).toMatchObject({ waiting: 0, waitingRows: 0, oldestWaitingSeconds: null });
  }, WITHIN_A_MINUTE);
  // Health may answer with what it computed seconds ago.
  await vi.waitFor(async () => {
    expect((await ask(millrace, '/health')).stats.publishing.due).toBe(9);
  }, WITHIN_A_MINUTE);
});
