import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../harness/database.js';
import { killStorm } from './kill-storm.js';
import { createTaskTables } from './tasks.js';
import { killWorkerProcesses } from './worker-process.js';

const given = testDatabase();
beforeAll(() => createTaskTables(given.database.db));
afterEach(killWorkerProcesses);

// The long form, on both backends, is in test/faults.
describe('workers killed at random', { timeout: 180_000 }, () => {
  it('loses no job, doubles no effect and gives up on none', async () => {
    const options = { databaseUrl: given.url, redisUrl: undefined, lockMs: 2_000 };
    // Enough that there is work left for every kill, even if processes start slowly on a busy machine.
    const result = await killStorm(options, { jobs: 600, kills: 5, longestMs: 600, processes: 2 });
    expect(result).toMatchObject({ notDone: 0, effectsTwice: 0, deadLetters: 0 });
    expect(result.hit).toBeGreaterThan(0);
  });
});
