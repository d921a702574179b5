import { it } from 'vitest';
import { testDatabase } from '../harness/database.js';
import { publishThroughKills } from '../publishing/publish-storm.js';

const given = testDatabase();
const storm = {
  ...{ posts: 10_000, users: 50, everyMs: 1_000, killsMs: 120_000, patienceMs: 400_000 },
  platformLimit: { most: 830, windowMs: 60_000 },
  userLimit: { most: 25, windowMs: 60_000 },
};

it('publishes 10,000 posts of 50 users once each, within all limits, through two minutes of kills', async () => {
  await publishThroughKills({ ...storm, database: given.database, databaseUrl: given.url });
});
