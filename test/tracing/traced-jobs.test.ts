import { expect, it } from 'vitest';
import { traced } from '../../src/platform/tracing/traced.js';
import { testDatabase } from '../harness/database.js';
import { startEngine } from '../queue/engine.js';
import { createTaskTables } from '../queue/tasks.js';
import { only, recordTraces } from './recorder.js';

const given = testDatabase();

it('shows every run of a job where it was enqueued, and as failed only those that failed', async () => {
  const { spans } = await recordTraces();
  await createTaskTables(given.database.db);
  const engine = await startEngine({ databaseUrl: given.url, redisUrl: undefined });
  const enqueue = (script: string) =>
    traced({ name: script, kind: 'SERVER' }, async () => (await engine.enqueue([script]))[0] ?? '');
  const ids = [await enqueue('later-first 1'), await enqueue('fail-first 1'), await enqueue('give-up')];
  try {
    await expect.poll(() => engine.states(ids), { timeout: 20_000 }).toEqual({ done: 2, failed: 1 });
  } finally {
    await engine.stop();
  }
  const all = await spans();

  const runsOf = (script: string) => {
    const { traceId } = only(all, script);
    const { spanId } = only(
      all.filter((span) => span.traceId === traceId),
      'enqueue task',
    );
    const runs = all.filter((span) => span.parentSpanId === spanId);
    return runs.map(({ name, failed, attributes }) => [name, attributes['job.outcome'], failed]);
  };
  expect(runsOf('later-first 1')).toEqual([
    ['job task', 'later', false],
    ['job task', 'done', false],
  ]);
  expect(runsOf('fail-first 1')).toEqual([
    ['job task', 'failed', true],
    ['job task', 'done', false],
  ]);
  expect(runsOf('give-up')).toEqual([['job task', 'failed', true]]);
});
