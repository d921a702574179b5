import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { testDatabase } from '../harness/database.js';
import { OUTAGES, outagesEndNoPost } from '../publishing/outage-stories.js';
import {
  comeBack,
  expectPublishedOnce,
  type Failure,
  goDown,
  publishTexts,
  startOutages,
} from '../publishing/outages.js';

const db = testDatabase();
const OUTAGE_MS = 60_000;
const POLLING = { timeout: 400_000, interval: 1_000 };

outagesEndNoPost(db, 1, Object.values(OUTAGES));
outagesEndNoPost(db, 10, Object.values(OUTAGES));

/** In real time, one after the other: a platform that names the time of the next call closes its host for all that are there. */
it.each<{ name: string; failure: Failure }>([
  { name: 'answering 500', failure: { status: 500 } },
  { name: 'answering 502', failure: { status: 502 } },
  { name: 'cutting connections', failure: 'cut' },
  { name: 'timing out', failure: 'silent' },
  { name: 'answering 503 with Retry-After', failure: 'closed' },
  { name: 'refusing connections', failure: 'away' },
])(
  'a minute of $name ends no post',
  async ({ failure }) => {
    const { joined } = await startOutages(db.url);
    for (const each of joined) await goDown(each, failure);
    const ids = await Promise.all(joined.map(publishTexts));
    await sleep(OUTAGE_MS);
    for (const each of joined) await comeBack(each, failure);
    const openCount = async () => {
      const all = await Promise.all(joined.flatMap(({ anna }, at) => (ids[at] ?? []).map((id) => anna.find(id))));
      return all.filter(({ status }) => status !== 'published').map(({ platform, status }) => ({ platform, status }));
    };
    await expect.poll(openCount, POLLING).toEqual([]);
    for (const [at, each] of joined.entries()) {
      await expectPublishedOnce(each, ids[at] ?? []);
    }
  },
  600_000,
);
