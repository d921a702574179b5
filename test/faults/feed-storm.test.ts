import { it } from 'vitest';
import { weather } from '../fetching/feed-storm.js';
import { ownPostgres } from '../harness/postgres.js';

const postgres = ownPostgres();

it(
  'shows every post of 500 feeds to every follower once, through ten minutes with kills and restarts',
  {
    timeout: 1_500_000,
  },
  () => weather({ feeds: 500, readers: 5, seconds: 600, postgres }),
);
