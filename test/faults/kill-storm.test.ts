import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../harness/database.js';
import { redisUrl } from '../harness/redis.js';
import { killStorm } from '../queue/kill-storm.js';
import { createTaskTables } from '../queue/tasks.js';
import { killWorkerProcesses } from '../queue/worker-process.js';

/** As Millrace runs by default. */
const LOCK_MS = 10_000;
const STORM = { jobs: 10_000, kills: 200, longestMs: 2_000, processes: 3 };

describe.each(['PostgreSQL', 'Redis'])('200 kills of workers during 10,000 jobs on %s', (backend) => {
  const given = testDatabase();
  const redis = backend === 'Redis' ? redisUrl() : undefined;
  beforeAll(() => createTaskTables(given.database.db));
  afterEach(killWorkerProcesses);

  it('loses no job, doubles no effect, gives up on none, and ends every hit job within 30 s', {
    timeout: 1_800_000,
  }, async () => {
    const result = await killStorm({ databaseUrl: given.url, redisUrl: redis, lockMs: LOCK_MS }, STORM);
    process.stdout.write(`${backend}: ${JSON.stringify(result)}\n`);
    expect(result).toMatchObject({ notDone: 0, effectsTwice: 0, deadLetters: 0 });
    expect(result.hit).toBeGreaterThan(200);
    expect(result.slowestHitMs).toBeLessThan(30_000);
    expect(result.slowestNoticedMs).toBeLessThan(30_000);
  });
});
