import { describe, it } from 'vitest';
import { MOMENTS } from '../../src/publishing/sending/test-hooks.js';
import { testDatabase } from '../harness/database.js';
import { dieAtMoments } from '../publishing/kill-trial.js';
import { publishThroughKills } from '../publishing/publish-storm.js';

const small = { hits: 2, together: 3, processes: 2, supply: 60, settlesInMs: 500, patienceMs: 100_000 };

describe('publications whose process dies at a critical moment', () => {
  const given = testDatabase();

  it('are published once, and their status says so', { timeout: 120_000 }, () =>
    dieAtMoments({ ...small, database: given.database, databaseUrl: given.url, moments: MOMENTS }),
  );
});

describe('posts that wait for capacity within limits while processes are killed and answers get lost', () => {
  const given = testDatabase();
  const storm = {
    posts: 100,
    users: 10,
    everyMs: 1_000,
    killsMs: 5_000,
    settlesInMs: 500,
    patienceMs: 100_000,
    platformLimit: { most: 30, windowMs: 5_000 },
    userLimit: { most: 4, windowMs: 5_000 },
  };

  it('are published once each, and no window holds more than a limit', { timeout: 150_000 }, async () => {
    await publishThroughKills({ ...storm, database: given.database, databaseUrl: given.url });
  });
});
