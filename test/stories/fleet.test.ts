import { expect, it } from 'vitest';
import { expectAllOnce, makeDue, restartAll, startUsedFleet } from '../fleet/rolling-restart.js';
import { redisUrl } from '../harness/redis.js';

const redis = redisUrl();

it('replaces each of seven processes while people use them: no request fails, nothing is lost, nothing happens twice', {
  timeout: 300_000,
}, async () => {
  const used = await startUsedFleet({ redisUrl: redis, drainMs: 3_000, everyMs: 200 });
  const [dueAgain] = await Promise.all([makeDue(used), restartAll(used)]);
  await used.load.end();
  await expectAllOnce(used, dueAgain);
  expect(await used.fleet.stop()).toEqual([0, 0, 0, 0, 0, 0, 0]);
});
