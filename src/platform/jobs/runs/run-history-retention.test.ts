import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { testDatabase } from '../../../../test/harness/database.js';
import { parseConfig } from '../../config.js';
import { Periodic } from '../../time/periodic.js';
import { RunHistoryRetention } from './run-history-retention.js';

const given = testDatabase();

it('takes away what is older than the history is to go back, however much it is, and nothing else', async () => {
  const config = parseConfig({ MILLRACE_KEEP_RUNS: '1h' });
  const retention = new RunHistoryRetention(config, given.database, new Periodic(config, pino({ level: 'silent' })));
  const { db } = given.database;
  await db.execute(sql`
    INSERT INTO job_runs (queue, job_id, subject, attempt, outcome, started_at, ms, worker)
    SELECT 'a', 'a', at, 1, 'done', now() - CASE WHEN at <= 12000 THEN interval '2 hours' ELSE interval '0' END, 1, 'host:1'
    FROM generate_series(1, 15000) AS at`);
  expect(await retention.forget()).toBe(12_000);
  const { rows } = await db.execute(sql`SELECT min(subject::int) AS oldest, count(*)::int AS kept FROM job_runs`);
  expect(rows).toEqual([{ oldest: 12_001, kept: 3_000 }]);
});
