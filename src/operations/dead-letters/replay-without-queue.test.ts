import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { ownRedis } from '../../../test/harness/redis.js';
import { NoteWorker, noteJob, TasksModule } from '../../../test/queue/tasks.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { OperationsModule } from '../operations.module.js';
import type { DeadLetter } from './dead-letter.js';

const WAIT_OPTIONS = { timeout: 25_000, interval: 100 };
const given = testDatabase();
const redis = ownRedis();
let api: Api;

beforeAll(async () => {
  const config = { redisUrl: redis.url, sweepMs: 500, jobLockMs: 1_000 };
  api = await startApi({ databaseUrl: given.url, config, modules: [OperationsModule, TasksModule] });
});
afterAll(() => api?.stop());

const openLetters = async (): Promise<DeadLetter[]> =>
  (await api.send({ url: '/api/v1/dead-letters?state=open', key: api.adminKey })).json().items;

it('accepts a replay while the queue is away, and runs it when the queue is back', async () => {
  await api.app.get(Jobs).enqueue(noteJob, [{ key: 'lost', data: { text: 'lost', fails: true } }]);
  await vi.waitFor(async () => expect(await openLetters()).toHaveLength(1), WAIT_OPTIONS);
  const [letter] = await openLetters();
  const { notes } = api.app.get(NoteWorker);
  const runsBefore = notes.length;

  await redis.kill();
  const replay = await api.send({ method: 'POST', url: `${letter?.links.self}/replay`, key: api.adminKey });
  expect(replay.statusCode).toBe(202);
  expect(notes).toHaveLength(runsBefore);

  await redis.restart();
  await vi.waitFor(() => expect(notes.length).toBeGreaterThan(runsBefore), WAIT_OPTIONS);
});
