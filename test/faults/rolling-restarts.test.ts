import { expect, it } from 'vitest';
import { expectAllOnce, makeDue, restartAll, startUsedFleet } from '../fleet/rolling-restart.js';
import { redisUrl } from '../harness/redis.js';

const ROUNDS = 3;
/** What one worker process may have in hand: ten tasks, ten fetches, five posts. */
const IN_HAND = 25;
const redis = redisUrl();

it('replaces seven processes three times over under load, and loses one to kill -9 each time: all is done, once', {
  timeout: 900_000,
}, async () => {
  const used = await startUsedFleet({ redisUrl: redis, drainMs: 5_000, everyMs: 100 });
  const dueAgain = await makeDue(used);
  for (let round = 0; round < ROUNDS; round++) {
    await restartAll(used);
    const [victim = 0] = used.fleet.withRole('worker');
    await used.fleet.process(victim).end('SIGKILL');
    await used.fleet.replace(victim);
  }
  await used.load.end();
  await expectAllOnce(used, dueAgain, { killed: ROUNDS * IN_HAND });
  process.stdout.write(`${used.load.requests} requests, ${used.load.tasks} tasks\n`);
  expect(await used.fleet.stop()).toEqual([0, 0, 0, 0, 0, 0, 0]);
});
