import { it } from 'vitest';
import { importThroughKills } from '../imports/import-storm.js';

const small = { feeds: 40, items: 20, rate: 20, pauseMs: 1_000, kills: { least: 1, most: 2 } };

it(
  'an import whose processes are killed ends with the right totals, is nothing new the second time, and updates what has changed',
  {
    timeout: 240_000,
  },
  () => importThroughKills(small),
);
