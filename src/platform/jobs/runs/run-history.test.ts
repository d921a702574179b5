import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { beforeEach, expect, it } from 'vitest';
import { testDatabase } from '../../../../test/harness/database.js';
import { startEngine } from '../../../../test/queue/engine.js';
import { createTaskTables } from '../../../../test/queue/tasks.js';
import type { JobOutcome } from '../outcomes.js';
import type { EndedRun } from './ended-run.js';
import { jobRuns } from './job-runs.table.js';
import { RunHistory } from './run-history.js';

const given = testDatabase();
const failed = (reason: string): JobOutcome => ({ kind: 'failed', reason, stack: 's', final: true });
const ended = (run: Partial<EndedRun>): EndedRun => ({
  queue: 'a',
  jobId: 'a-1',
  subject: '1',
  attempt: 1,
  startedAt: new Date(),
  waitedMs: 2,
  ms: 3,
  outcome: { kind: 'done' },
  ...run,
});

function newProcess() {
  const lines: string[] = [];
  const history = new RunHistory(given.database, pino({ level: 'info' }, { write: (line) => lines.push(line) }));
  return { history, lines };
}
let history: RunHistory;

beforeEach(async () => {
  history = newProcess().history;
  await given.database.db.execute(sql`DELETE FROM job_runs`);
});

const stored = () => given.database.db.select().from(jobRuns).orderBy(jobRuns.id);

it('stores what is known of a run, in the order in which they ended', async () => {
  const startedAt = new Date(Date.now() - 60_000);
  history.add(ended({ startedAt, ms: 50_000, outcome: { kind: 'later', until: new Date(), reason: 'not yet' } }));
  history.add(ended({ startedAt, waitedMs: null, ms: 7 }));
  await history.store();
  expect(await stored()).toMatchObject([
    {
      queue: 'a',
      jobId: 'a-1',
      subject: '1',
      attempt: 1,
      outcome: 'done',
      reason: null,
      startedAt,
      ms: 7,
      waitedMs: null,
    },
    { outcome: 'later', reason: 'not yet', ms: 50_000, waitedMs: 2, worker: expect.stringMatching(/.:\d+$/) },
  ]);
});

it('stores what PostgreSQL would refuse without it, and a long reason cut', async () => {
  history.add(ended({ subject: 'a\u0000b', outcome: failed(`${'x'.repeat(1_999)}😀`) }));
  await history.store();
  expect(await stored()).toMatchObject([{ subject: 'ab', reason: `${'x'.repeat(1_999)}\ufffd` }]);
});

it('keeps all that failed, and a fair sample of very many that did not', async () => {
  for (let at = 0; at < 1_200; at++) history.add(ended({ outcome: failed('r') }));
  for (let at = 0; at < 20_000; at++) history.add(ended({ subject: at < 10_000 ? 'early' : 'late' }));
  await history.store();
  const rows = await stored();
  const count = (test: (row: (typeof rows)[0]) => boolean) => rows.filter(test).length;
  expect([count(({ outcome }) => outcome === 'failed'), count(({ outcome }) => outcome === 'done')]).toEqual([
    1_200, 1_000,
  ]);
  // The expected number is 500. Fewer than 300 are as likely as forty correct coin tosses in a row.
  expect(count(({ subject }) => subject === 'early')).toBeGreaterThan(300);
  expect(count(({ subject }) => subject === 'late')).toBeGreaterThan(300);
});

it('keeps what could not be stored for the next time, the newest of it if that is too much, and says so once', async () => {
  const { history, lines } = newProcess();
  const { db } = given.database;
  const startedAt = new Date(Date.now() - 60_000);
  await db.execute(sql`ALTER TABLE job_runs RENAME TO elsewhere`);
  for (let at = 0; at < 10_500; at++) history.add(ended({ attempt: at, startedAt, ms: at, outcome: failed('r') }));
  await history.store();
  history.add(ended({ attempt: 10_500, startedAt, ms: 10_500, outcome: failed('r') }));
  await history.store();
  await db.execute(sql`ALTER TABLE elsewhere RENAME TO job_runs`);
  await history.store();
  const rows = await stored();
  expect([rows.length, rows[0]?.attempt, rows.at(-1)?.attempt]).toEqual([10_000, 501, 10_500]);
  expect(lines).toEqual([expect.stringContaining('dropping the oldest')]);
});

it('is stored before a process ends, whatever came of a run', async () => {
  await createTaskTables(given.database.db);
  const engine = await startEngine({ databaseUrl: given.url, redisUrl: undefined });
  const [id = ''] = await engine.enqueue(['give-up']);
  await expect.poll(() => engine.failures([id]), { timeout: 10_000 }).toHaveLength(1);
  await engine.stop();
  expect(await stored()).toMatchObject([{ queue: 'task', subject: id, outcome: 'failed', reason: 'nothing can help' }]);
});
