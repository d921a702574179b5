import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { createTaskTables, noteJob, TasksModule } from '../../../test/queue/tasks.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { RunHistory } from '../../platform/jobs/runs/run-history.js';
import { OperationsModule } from '../operations.module.js';
import type { RunView } from './runs.controller.js';

const WAIT_OPTIONS = { timeout: 20_000, interval: 50 };
const given = testDatabase();
let api: Api;

beforeAll(async () => {
  await createTaskTables(given.database.db);
  api = await startApi({ databaseUrl: given.url, modules: [OperationsModule, TasksModule] });
});
afterAll(() => api?.stop());

const ask = async (query: string) => {
  const answer = await api.send({ method: 'GET', url: `/api/v1/runs?${query}`, key: api.adminKey });
  return { status: answer.statusCode, body: answer.json() };
};
const list = async (query: string): Promise<RunView[]> => (await ask(query)).body.items;

it('tells what came of each run of a job, why, and where its dead letter lies', async () => {
  const data = { text: 'bad', fails: true };
  await api.app.get(Jobs).enqueue(noteJob, [{ key: 'a bad one', subject: 'bad', data }]);
  await vi.waitFor(async () => {
    await api.app.get(RunHistory).store();
    expect(await list('queue=note&subject=bad')).toHaveLength(2);
  }, WAIT_OPTIONS);
  const [last, first] = await list('queue=note&subject=bad');
  expect(first).toMatchObject({
    attempt: 1,
    outcome: 'retried',
    feature: 'note',
    result: 'error',
    reason: 'note failed: bad',
    deadLetterId: null,
  });
  expect(last).toMatchObject({ attempt: 2, outcome: 'failed', reason: 'note failed: bad', waitedMs: null });
  const letter = await api.send({
    method: 'GET',
    url: `/api/v1/dead-letters/${last?.deadLetterId}`,
    key: api.adminKey,
  });
  expect(letter.json()).toMatchObject({ queue: 'note', reason: 'note failed: bad' });
});

it('finds runs by queue, by what they were about and by how they ended', async () => {
  await given.database.db.execute(sql`
    INSERT INTO job_runs (queue, job_id, subject, attempt, outcome, started_at, ms, worker) VALUES
      ('a', 'a-1', '1', 1, 'done', now(), 5, 'host:1'), ('a', 'a-2', '2', 1, 'failed', now(), 5, 'host:1'),
      ('b', 'b-1', '1', 1, 'retried', now(), 5, 'host:1'), ('b', 'b-1', '1', 2, 'later', now(), 5, 'host:1')`);
  const found = async (query: string) => (await list(query)).map(({ jobId, outcome }) => `${jobId} ${outcome}`);
  expect(await found('queue=a')).toEqual(['a-2 failed', 'a-1 done']);
  expect(await found('queue=b&subject=1')).toEqual(['b-1 later', 'b-1 retried']);
  expect(await found('queue=b&outcome=later')).toEqual(['b-1 later']);
  expect((await found('outcome=failed,retried')).slice(0, 2)).toEqual(['b-1 retried', 'a-2 failed']);
});

it('finds runs by what came of their work, and those whose work failed', async () => {
  await given.database.db.execute(sql`
    INSERT INTO job_runs (queue, job_id, subject, attempt, outcome, started_at, ms, worker, result, work_failed, cause, target, details)
    VALUES ('task', 't-1', '1', 1, 'done', now(), 5, 'host:1', 'done', false, null, null, null),
      ('task', 't-2', '2', 1, 'done', now(), 5, 'host:1', 'burnt', true, 'reader', 'oven', '{"status":500}'),
      ('c', 'c-1', '1', 1, 'failed', now(), 5, 'host:1', 'error', true, null, null, null)`);
  const found = async (query: string) => (await list(query)).map(({ jobId }) => jobId);
  expect(await found('result=burnt,error&feature=task')).toEqual(['t-2']);
  expect(await found('result=error&queue=c')).toEqual(['c-1']);
  expect((await found('failed=true')).slice(0, 2)).toEqual(['c-1', 't-2']);
  expect((await found('feature=task')).slice(0, 2)).toEqual(['t-2', 't-1']);
  expect((await list('result=burnt'))[0]).toMatchObject({
    feature: 'task',
    result: 'burnt',
    outcome: 'done',
    cause: 'reader',
    target: 'oven',
    details: { status: 500 },
  });
});

it('goes on where a page ended, also if runs have ended meanwhile', async () => {
  const { nextCursor, items } = (await ask('queue=a&limit=1')).body;
  await given.database.db.execute(sql`
    INSERT INTO job_runs (queue, job_id, subject, attempt, outcome, started_at, ms, worker)
    VALUES ('a', 'a-3', '3', 1, 'done', now(), 5, 'host:1')`);
  const next = await ask(`queue=a&limit=1&cursor=${nextCursor}`);
  expect([items[0].jobId, next.body.items[0].jobId, next.body.nextCursor]).toEqual(['a-2', 'a-1', null]);
});

it('says what is wrong with a question', async () => {
  expect(await ask('outcome=nonsense')).toMatchObject({ status: 400, body: { errors: [{ path: 'outcome.0' }] } });
  expect(await ask('subject=1')).toMatchObject({ status: 400, body: { errors: [{ path: 'queue' }] } });
});
