import { expect, it } from 'vitest';
import { testDatabase } from '../../test/harness/database.js';
import { startPublishing, startWebhook } from '../../test/publishing/publisher.js';
import type { PlatformView } from './platforms.controller.js';
import { platforms } from './platforms.js';

const db = testDatabase();
const HOUR_MS = 3_600_000;

it('tells what each platform takes, and its limits', async () => {
  const anna = (await startPublishing(db.url)).as('anna');
  const items: PlatformView[] = (await anna.send('GET', '/platforms')).body.items;
  expect(items.map(({ name }) => name)).toEqual(platforms.map(({ name }) => name));
  const find = (wanted: string) => items.find(({ name }) => name === wanted);
  expect(find('facebook')).toMatchObject({
    limits: { platform: { most: 200, windowSeconds: 3_600 }, user: { most: 200, windowSeconds: 3_600 } },
    remaining: { platform: 200, user: 200 },
    availableAt: null,
    poolSize: 3,
    due: { all: 0, yours: 0 },
  });
  expect(find('linkedin')?.limits.user).toEqual({ most: 20, windowSeconds: 86_400 });
  expect(find('youtube')?.accepts).toEqual({
    text: { most: 5_000, unit: 'bytes' },
    title: { most: 100, required: true },
    media: { least: 1, most: 1, kinds: ['video'] },
  });
  expect(find('webhook')).toMatchObject({ limits: { platform: null }, remaining: { platform: null, user: null } });
});

it('shows the remaining capacity, when it returns, and why posts wait for it', async () => {
  const { given, fake } = await startWebhook();
  const limit = (most: number) => new Map([['webhook', { most, windowMs: HOUR_MS }]]);
  const millrace = await startPublishing(db.url, { platformLimits: limit(3), userLimits: limit(1) });
  const [anna, ben] = [millrace.as('anna'), millrace.as('ben')];
  const { id: accountId } = await anna.account(given);
  const first = await anna.publish({ accountId, content: { text: 'First' } });
  await anna.when(first.id, 'published');
  const { id } = await anna.publish({ accountId, content: { text: 'Second' } });
  const waiting = await anna.find(id);
  expect(waiting).toMatchObject({
    status: 'scheduled',
    waitingFor: 'capacity within the limit of 1 in 1 h for each user',
    attempts: 0,
  });
  const untilMs = Date.parse(waiting.waitsUntil ?? '') - Date.now();
  expect(untilMs).toBeGreaterThan(HOUR_MS - 60_000);
  expect(untilMs).toBeLessThanOrEqual(HOUR_MS + 1_000);
  const shown = async (who: typeof anna): Promise<PlatformView> =>
    (await who.send('GET', '/platforms')).body.items.find(({ name }: PlatformView) => name === 'webhook');
  expect(await shown(anna)).toMatchObject({ remaining: { platform: 2, user: 0 }, due: { all: 1, yours: 1 } });
  expect((await shown(anna)).availableAt).not.toBeNull();
  expect(await shown(ben)).toMatchObject({
    remaining: { platform: 2, user: 1 },
    availableAt: null,
    due: { all: 1, yours: 0 },
  });
  expect(fake.posts.map(({ text }) => text)).toEqual(['First']);
});
