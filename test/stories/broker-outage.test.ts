import { it } from 'vitest';
import { testDatabase } from '../harness/database.js';
import { ownRabbitmq } from '../harness/rabbitmq.js';
import { outage } from '../workers/outage.js';

const database = testDatabase();
const rabbitmq = ownRabbitmq();

it('goes on through the death of the broker, loses nothing, and answers meanwhile', { timeout: 240_000 }, async () => {
  await outage({ databaseUrl: database.url, rabbitmq, sources: 40, downMs: 5_000 });
});
