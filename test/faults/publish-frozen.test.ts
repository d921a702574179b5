import { it } from 'vitest';
import { testDatabase } from '../harness/database.js';
import { freezeWorkers } from '../publishing/freeze-trial.js';

const given = testDatabase();

it('publishes nothing twice when workers that were frozen at a critical moment wake', () =>
  freezeWorkers({ database: given.database, databaseUrl: given.url, workers: 2 }));
