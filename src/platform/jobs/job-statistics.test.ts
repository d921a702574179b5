import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { beforeEach, expect, it, vi } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { startEngine } from '../../../test/queue/engine.js';
import { noteJob } from '../../../test/queue/tasks.js';
import { JobStatistics } from './job-statistics.js';
import type { JobOutcome } from './outcomes.js';

const given = testDatabase();
const newProcess = () => new JobStatistics(given.database, pino({ level: 'silent' }));
const failed = (final: boolean): JobOutcome => ({ kind: 'failed', reason: 'r', stack: 's', final });

beforeEach(async () => {
  await given.database.db.execute(sql`DELETE FROM job_minutes`);
});

async function stored() {
  const { rows } = await given.database.db.execute<{ queue: string; outcome: string; count: number; ms: number }>(
    sql`SELECT queue, outcome, sum(count)::int AS count, sum(total_ms)::int AS ms FROM job_minutes GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  return rows.map(({ queue, outcome, count, ms }) => `${queue} ${outcome} ${count} in ${ms} ms`);
}

it('adds up what several processes counted, a failure for good apart from one that is tried again', async () => {
  const [one, other] = [newProcess(), newProcess()];
  for (const process of [one, other]) {
    process.count({ queue: 'a', outcome: { kind: 'done' }, ms: 10 });
    process.count({ queue: 'a', outcome: { kind: 'done' }, ms: 5 });
    process.count({ queue: 'b', outcome: failed(false), ms: 1 });
  }
  one.count({ queue: 'b', outcome: failed(true), ms: 2 });
  await Promise.all([one.store(), other.store()]);
  await one.store();
  expect(await stored()).toEqual(['a done 4 in 30 ms', 'b failed 1 in 2 ms', 'b retried 2 in 2 ms']);
});

it('keeps what could not be stored for the next time', async () => {
  const statistics = newProcess();
  const { db } = given.database;
  statistics.count({ queue: 'a', outcome: { kind: 'done' }, ms: 1 });
  await db.execute(sql`ALTER TABLE job_minutes RENAME TO elsewhere`);
  await statistics.store();
  await db.execute(sql`ALTER TABLE elsewhere RENAME TO job_minutes`);
  statistics.count({ queue: 'a', outcome: { kind: 'done' }, ms: 1 });
  await statistics.store();
  expect(await stored()).toEqual(['a done 2 in 2 ms']);
});

it('is stored before a process ends', async () => {
  const engine = await startEngine({ databaseUrl: given.url, redisUrl: undefined });
  await engine.jobs.enqueue(noteJob, [{ key: 'last', data: { text: 'last', fails: false } }]);
  await vi.waitFor(() => expect(engine.notes.notes).toEqual(['last']), { timeout: 10_000 });
  await engine.stop();
  expect(await stored()).toEqual([expect.stringMatching(/^note done 1 in/)]);
});
