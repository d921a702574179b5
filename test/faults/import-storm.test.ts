import { describe, it } from 'vitest';
import { redisUrl } from '../harness/redis.js';
import { importThroughKills } from '../imports/import-storm.js';

const redis = redisUrl();
const large = { feeds: 1_000, items: 50, rate: 40, pauseMs: 2_500, kills: { least: 5, most: 100 } };

describe('an import of 1,000 feeds while processes are killed', () => {
  it.each([
    ['Redis', { redisUrl: redis }],
    ['PostgreSQL', {}],
  ])(
    'ends with the right totals, is nothing new the second time, and updates what has changed: queue on %s',
    {
      timeout: 1_500_000,
    },
    (_queue, servers) => importThroughKills({ ...large, ...servers }),
  );
});
