import { expect, it } from 'vitest';
import { testDatabase } from '../harness/database.js';
import { publishThroughKills } from '../publishing/publish-storm.js';

const given = testDatabase();
const storm = {
  posts: 10_000,
  users: 50,
  everyMs: 1_000,
  killsMs: 120_000,
  patienceMs: 700_000,
  // Three windows, the first of them through kills. What a crash holds up is to a window of minutes what it is to one of hours.
  platformLimit: { most: 840, windowMs: 240_000 },
  userLimit: { most: 25, windowMs: 240_000 },
};
const MAX_MS = 900_000;

it(
  'publishes 10,000 posts of 50 users once each, within all limits and using them, through two minutes of kills',
  async () => {
    const { capacity } = await publishThroughKills({ ...storm, database: given.database, databaseUrl: given.url });
    for (const used of Object.values(capacity)) expect(used).toBeGreaterThanOrEqual(0.99);
  },
  MAX_MS,
);
