import { describe, it } from 'vitest';
import { MOMENTS } from '../../src/publishing/sending/test-hooks.js';
import { testDatabase } from '../harness/database.js';
import { dieAtMoments } from '../publishing/kill-trial.js';

const large = { hits: 300, together: 12, processes: 3, supply: 300, patienceMs: 540_000 };

describe.each(MOMENTS)('300 publications that stand at "%s" when their process dies', (moment) => {
  const given = testDatabase();

  it('are published once, and their status says so', () =>
    dieAtMoments({ ...large, database: given.database, databaseUrl: given.url, moments: [moment] }));
});
