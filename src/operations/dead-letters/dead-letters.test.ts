import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { createTaskTables, NoteWorker, noteJob, TasksModule, taskJob, tasks } from '../../../test/queue/tasks.js';
import { deadLetters } from '../../platform/jobs/dead-letters/dead-letters.table.js';
import { waitingRow } from '../../platform/jobs/job-columns.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { OperationsModule } from '../operations.module.js';
import type { DeadLetter } from './dead-letter.js';

const WAIT_OPTIONS = { timeout: 20_000, interval: 50 };
const given = testDatabase();
let api: Api;
let jobs: Jobs;

beforeAll(async () => {
  await createTaskTables(given.database.db);
  api = await startApi({ databaseUrl: given.url, modules: [OperationsModule, TasksModule] });
  jobs = api.app.get(Jobs);
});
afterAll(() => api?.stop());

const ask = async (method: 'GET' | 'POST', path: string, body?: object) => {
  const payload = body && { payload: body };
  const response = await api.send({ method, url: `/api/v1/dead-letters${path}`, key: api.adminKey, ...payload });
  return { status: response.statusCode, body: response.json() };
};
const list = async (query: string): Promise<DeadLetter[]> => (await ask('GET', `?${query}`)).body.items;

async function failTasks(...scripts: string[]): Promise<string[]> {
  const rows = await given.database.db
    .insert(tasks)
    .values(scripts.map((script) => ({ script })))
    .returning(waitingRow(tasks));
  await jobs.enqueueRows(taskJob, rows);
  const ids = rows.map(({ id }) => id);
  await vi.waitFor(async () => {
    const states = await Promise.all(ids.map(stateOf));
    expect(new Set(states)).toEqual(new Set(['failed']));
  }, WAIT_OPTIONS);
  return ids;
}

async function stateOf(id: string) {
  const [row] = await given.database.db.select().from(tasks).where(eq(tasks.id, id));
  return row?.jobState;
}

const repair = (id: string) => given.database.db.update(tasks).set({ script: 'ok' }).where(eq(tasks.id, id));
const letterOf = async (taskId: string, query = 'state=open') =>
  (await list(`queue=task&limit=100&${query}`)).find(
    ({ payload }) => (payload as { taskId: string }).taskId === taskId,
  );

describe('dead letters', () => {
  it('shows what failed, why and when', async () => {
    const [taskId = ''] = await failTasks('fail shown');
    const letter = await letterOf(taskId);
    expect(letter).toMatchObject({
      queue: 'task',
      jobName: 'task',
      payload: { taskId },
      reason: 'task failed: shown',
      attempts: 3,
      state: 'open',
      links: { self: `/api/v1/dead-letters/${letter?.id}`, replayOf: null },
    });
    expect(letter?.history).toHaveLength(3);
    expect(Date.parse(letter?.firstFailedAt ?? '')).toBeLessThan(Date.parse(letter?.lastFailedAt ?? ''));
    expect((await ask('GET', `/${letter?.id}`)).body).toEqual(letter);
  });

  it('runs a replayed job again, once', async () => {
    const [taskId = ''] = await failTasks('give-up');
    const letter = await letterOf(taskId);
    await repair(taskId);
    const replay = await ask('POST', `/${letter?.id}/replay`);
    expect(replay).toMatchObject({ status: 202, body: { id: letter?.id, state: 'replayed' } });
    await vi.waitFor(async () => expect(await stateOf(taskId)).toBe('done'), WAIT_OPTIONS);
    expect(await ask('POST', `/${letter?.id}/replay`)).toMatchObject({
      status: 409,
      body: { code: 'dead_letter_closed' },
    });
  });

  it('links a letter back to the one whose replay failed again', async () => {
    const [taskId = ''] = await failTasks('give-up');
    const first = await letterOf(taskId);
    await ask('POST', `/${first?.id}/replay`);
    await vi.waitFor(async () => expect(await letterOf(taskId)).toBeDefined(), WAIT_OPTIONS);
    const second = await letterOf(taskId);
    expect(second?.id).not.toBe(first?.id);
    expect(second?.links.replayOf).toBe(first?.links.self);
  });

  it('replays a job that stands for no row', async () => {
    await jobs.enqueue(noteJob, [{ key: 'lost note', data: { text: 'lost', fails: true } }]);
    await vi.waitFor(async () => expect(await list('queue=note&state=open')).toHaveLength(1), WAIT_OPTIONS);
    const { notes } = api.app.get(NoteWorker);
    const runsBefore = notes.length;
    const [letter] = await list('queue=note&state=open');
    expect(await ask('POST', `/${letter?.id}/replay`)).toMatchObject({ status: 202 });
    await vi.waitFor(() => expect(notes.length).toBeGreaterThan(runsBefore), WAIT_OPTIONS);
  });

  it('keeps a discarded letter, but not among the open ones', async () => {
    const [taskId = ''] = await failTasks('give-up');
    const letter = await letterOf(taskId);
    expect(await ask('POST', `/${letter?.id}/discard`)).toMatchObject({ status: 200, body: { state: 'discarded' } });
    expect(await letterOf(taskId)).toBeUndefined();
    expect(await letterOf(taskId, 'state=discarded')).toBeDefined();
    expect(await ask('POST', `/${letter?.id}/replay`)).toMatchObject({ status: 409 });
    expect(await stateOf(taskId)).toBe('failed');
  });

  it('replays and discards by filter, leaving the rest alone', async () => {
    const bad = await failTasks('fail bulk-a', 'fail bulk-a');
    const [other = ''] = await failTasks('fail bulk-b');
    for (const id of bad) await repair(id);
    expect(await ask('POST', '/replay', { reason: 'BULK-A' })).toMatchObject({
      status: 202,
      body: { replayed: 2, refused: [] },
    });
    await vi.waitFor(async () => expect(await Promise.all(bad.map(stateOf))).toEqual(['done', 'done']), WAIT_OPTIONS);
    expect(await letterOf(other)).toBeDefined();
    expect(await ask('POST', '/discard', { reason: 'bulk-b' })).toMatchObject({ status: 200, body: { discarded: 1 } });
    expect(await letterOf(other)).toBeUndefined();
  });

  it('replays and discards those that are named, and says of which it could not', async () => {
    const tasks = await failTasks('fail named', 'fail named', 'fail named');
    const [first, second, third] = (await Promise.all(tasks.map((id) => letterOf(id)))).map((letter) => letter?.id);
    await repair(tasks[0] ?? '');
    const why = expect.stringContaining('not there, or was replayed or discarded before');
    expect(await ask('POST', '/replay', { ids: [first, first, '999999'] })).toEqual({
      status: 202,
      body: { replayed: 1, refused: [{ id: '999999', why }] },
    });
    expect(await ask('POST', '/discard', { ids: [first, second] })).toEqual({
      status: 200,
      body: { discarded: 1, refused: [{ id: first, why }] },
    });
    expect((await list('state=open&reason=named')).map(({ id }) => id)).toEqual([third]);
    for (const wrong of [{ ids: [] }, { ids: [third], queue: 'task' }, { ids: Array(501).fill(third) }])
      expect(await ask('POST', '/discard', wrong)).toMatchObject({ status: 400, body: { errors: [{ path: 'ids' }] } });
  });

  it('says which letters it could not replay and why', async () => {
    const [taskId = ''] = await failTasks('fail vanished');
    await given.database.db.delete(tasks).where(eq(tasks.id, taskId));
    const { body } = await ask('POST', '/replay', { reason: 'vanished' });
    expect(body).toEqual({ replayed: 0, refused: [{ id: expect.any(String), why: expect.stringContaining('gone') }] });
    expect(await list('state=open&reason=vanished')).toHaveLength(1);
  });

  it('replays the others when the data of one is no longer what its job takes', async () => {
    const [taskId = ''] = await failTasks('fail mixed');
    await repair(taskId);
    const now = new Date();
    const [outdated] = await given.database.db
      .insert(deadLetters)
      .values({
        queue: 'task',
        jobName: 'task',
        subject: '999999',
        payload: { old: true },
        reason: 'mixed',
        attempts: 1,
        history: [],
        firstFailedAt: now,
        lastFailedAt: now,
      })
      .returning();
    const { body } = await ask('POST', '/replay', { reason: 'mixed' });
    expect(body).toEqual({ replayed: 1, refused: [{ id: outdated?.id, why: expect.stringContaining('data') }] });
    await vi.waitFor(async () => expect(await stateOf(taskId)).toBe('done'), WAIT_OPTIONS);
  });

  it('pages through the list without repeating or skipping', async () => {
    await failTasks('fail paged', 'fail paged', 'fail paged', 'fail paged', 'fail paged');
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await ask('GET', `?reason=paged&limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.items.map(({ id }: DeadLetter) => id));
      cursor = body.nextCursor;
    }
    expect(seen).toHaveLength(5);
    expect(seen).toEqual(seen.toSorted((a, b) => Number(b) - Number(a)));
  });

  it('refuses what it cannot do, in words', async () => {
    expect(await ask('GET', '/999999')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await ask('POST', '/replay', { colour: 'red' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'colour' }] },
    });
    expect(await ask('GET', '?cursor=rubbish')).toMatchObject({ status: 400, body: { errors: [{ path: 'cursor' }] } });
    expect(await ask('GET', '?queue=%00')).toMatchObject({ status: 400, body: { errors: [{ path: 'queue' }] } });
    expect((await api.send({ url: '/api/v1/dead-letters' })).statusCode).toBe(401);
  });
});
