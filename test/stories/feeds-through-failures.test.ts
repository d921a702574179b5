import { it } from 'vitest';
import { weather } from '../fetching/feed-storm.js';
import { ownPostgres } from '../harness/postgres.js';

const postgres = ownPostgres();

it(
  'shows every post to every follower once, through a kill of the worker and a restart of the database',
  {
    timeout: 240_000,
  },
  () => weather({ feeds: 40, readers: 3, seconds: 30, postgres }),
);
