import { expect, it } from 'vitest';
import { testDatabase } from '../harness/database.js';
import { textsOf } from '../publishing/fake-platforms.js';
import { OUTAGES, outagesEndNoPost } from '../publishing/outage-stories.js';
import { settled } from '../publishing/outages.js';
import { startWorld } from '../publishing/world.js';

const db = testDatabase();
const MINUTE_MS = 60_000;
const TEST_MS = 120_000;

// Each kind of failure for one and for ten minutes is in test/faults/platform-outages.test.ts.
outagesEndNoPost(db, 10, [OUTAGES[500], OUTAGES.cutAfter, OUTAGES.closed, OUTAGES.away]);

/** The first calls of posts are lost, half of them after they were taken, and their time is over before anybody can look. */
it.each([
  { platform: 'mastodon', taken: 'published', lost: 'expired' },
  { platform: 'bluesky', taken: 'published', lost: 'expired' },
  { platform: 'facebook', taken: 'published', lost: 'expired' },
  { platform: 'webhook', taken: 'unknown', lost: 'unknown' },
] as const)(
  'publishes nothing late on $platform after a lost call',
  async ({ platform, taken, lost }) => {
    const COUNT = 50;
    const { fake, anna, accountId, time } = await startWorld(db.url, platform);
    fake.plan('drops before', undefined, COUNT / 2);
    fake.plan('drops after', undefined, COUNT / 2);
    const expiresAt = new Date(time.now().getTime() + 5 * MINUTE_MS);
    const given = (at: number) => ({ accountId, content: { text: `Post ${at}` }, expiresAt: expiresAt.toISOString() });
    const made = await Promise.all(Array.from({ length: COUNT }, (_, at) => anna.publish(given(at))));
    const ids = made.map(({ id }) => id);
    await settled(anna, ids);
    const shown = textsOf(fake);
    expect(shown).toHaveLength(COUNT / 2);
    await time.pass(expiresAt.getTime() - time.now().getTime());
    for (let next = await settled(anna, ids); next.nextAt; next = await settled(anna, ids))
      await time.pass(Math.max(1, next.nextAt - time.now().getTime()));
    const { now } = await settled(anna, ids);
    const wanted = now.map(({ content: { text } }) => ({ text, status: shown.includes(text) ? taken : lost }));
    expect(now.map(({ content: { text }, status }) => ({ text, status }))).toEqual(wanted);
    await time.pass(60 * MINUTE_MS);
    await settled(anna, ids);
    expect(textsOf(fake)).toEqual(shown);
  },
  TEST_MS,
);
