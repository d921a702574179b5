import { describe, it } from 'vitest';
import { redisUrl } from '../harness/redis.js';
import { importThroughKills } from '../imports/import-storm.js';

const redis = redisUrl();
const small = { feeds: 60, items: 20, rate: 20, pauseMs: 1_000, kills: { least: 1, most: 2 } };

describe('an import while processes are killed', () => {
  it.each([
    ['Redis', { redisUrl: redis }],
    ['PostgreSQL', {}],
  ])(
    'ends with the right totals, is nothing new the second time, and updates what has changed: queue on %s',
    {
      timeout: 240_000,
    },
    (_queue, servers) => importThroughKills({ ...small, ...servers }),
  );
});
