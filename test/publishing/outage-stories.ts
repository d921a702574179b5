import { beforeEach, describe, expect, it } from 'vitest';
import { hostBackoffs } from '../../src/platform/hosts/host-limits.table.js';
import type { testDatabase } from '../harness/database.js';
import {
  comeBack,
  expectPublishedOnce,
  type Failure,
  goDown,
  type Joined,
  publishTexts,
  settled,
  startOutages,
} from './outages.js';
import type { Publishing } from './publisher.js';

const MINUTE_MS = 60_000;
const TEST_MS = 120_000;

interface Outage {
  name: string;
  failure: Failure;
  publishCallMs?: number;
}

export const OUTAGES = {
  500: { name: 'answering 500', failure: { status: 500 } },
  502: { name: 'answering 502', failure: { status: 502, body: '<html>Bad Gateway' } },
  cut: { name: 'cutting connections', failure: 'cut' },
  cutAfter: { name: 'cutting connections after it has taken the post', failure: 'cut after' },
  silent: { name: 'timing out', failure: 'silent', publishCallMs: 2_000 },
  closed: { name: 'answering 503 with Retry-After', failure: 'closed' },
  away: { name: 'refusing connections', failure: 'away' },
} as const satisfies Record<string, Outage>;

/** Runs an outage on all platforms at once, on a clock that the test moves. */
export function outagesEndNoPost(db: ReturnType<typeof testDatabase>, minutes: number, outages: Outage[]) {
  // All platforms are at one host, which one of them may have closed.
  beforeEach(async () => void (await db.database.db.delete(hostBackoffs)));

  describe(`a platform that is out of order for ${minutes} min`, () => {
    it.each(outages)(
      'by $name ends no post',
      async ({ failure, publishCallMs }) => {
        const { millrace, joined } = await startOutages(db.url, publishCallMs ? { publishCallMs } : {});
        for (const each of joined) {
          each.fake.slowMs = 2_500;
          await goDown(each, failure);
        }
        const ids = await Promise.all(joined.map(publishTexts));
        const { lateMs } = await sitOut(millrace, joined, { ids: ids.flat(), failure, minutes });
        for (const [at, each] of joined.entries()) {
          await expectPublishedOnce(each, ids[at] ?? []);
        }
        // The longest delay plus a tenth.
        expect(lateMs).toBeLessThan(17 * MINUTE_MS);
      },
      TEST_MS,
    );
  });
}

/** Moves the clock to one due time after another, and ends the outage at its time. */
async function sitOut({ time }: Publishing, joined: Joined[], { ids, failure, minutes }: Trial) {
  const [{ anna }] = joined as [Joined];
  const endsAt = time.now().getTime() + minutes * MINUTE_MS;
  let isOver = false;
  for (let { nextAt } = await settled(anna, ids); nextAt; { nextAt } = await settled(anna, ids)) {
    const until = isOver ? nextAt : Math.min(nextAt, endsAt);
    if (until === endsAt) {
      for (const each of joined) await comeBack(each, failure);
      isOver = true;
    }
    await time.pass(Math.max(1, until - time.now().getTime()));
  }
  return { lateMs: time.now().getTime() - endsAt };
}

interface Trial {
  ids: string[];
  failure: Failure;
  minutes: number;
}
