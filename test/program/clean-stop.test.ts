import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { newDataFolder, removeDataFolder, serverOf } from '../harness/data-folder.js';
import { endPostgres, startPostgres } from '../harness/servers/postgres-server.js';
import { databaseUrlOf, postgresOn } from './embedded-server.js';
import { type Environment, type MillraceProcess, startMillrace } from './millrace-process.js';
import { TaskRows } from './task-rows.js';

vi.setConfig({ testTimeout: 60_000 });

const WAIT_OPTIONS = { timeout: 20_000, interval: 50 };
const CLEAN = { code: 0, signal: null };

const dataDir = join(tmpdir(), `millrace-stop-${randomUUID()}`);
beforeAll(() => lookInto((rows) => rows.create()));
afterAll(() => removeDataFolder(dataDir));

/** Reads or changes the rows while no Millrace runs. */
async function lookInto<T>(look: (rows: TaskRows) => Promise<T>): Promise<T> {
  const rows = new TaskRows(await startPostgres(dataDir));
  try {
    return await look(rows);
  } finally {
    await rows.close();
    await endPostgres(dataDir);
  }
}

/** A Millrace that is in the middle of a task. */
async function startAtWork(script: string, more: Environment = {}): Promise<{ millrace: MillraceProcess; id: string }> {
  const environment = { MILLRACE_DATA_DIR: dataDir, PORT: '0', MILLRACE_SWEEP_MS: '200', ...more };
  const millrace = startMillrace(environment, 'millrace-with-tasks');
  await millrace.address();
  const rows = new TaskRows(await databaseUrlOf(dataDir));
  const [id = ''] = await rows.store([script]);
  await vi.waitFor(async () => expect(await rows.runners(id)).toEqual([millrace.pid]), WAIT_OPTIONS);
  await rows.close();
  return { millrace, id };
}

it.each([
  ['SIGTERM', ['SIGTERM']],
  ['the two SIGINT that Ctrl+C under npm is', ['SIGINT', 'SIGINT']],
] as const)('finishes what runs on %s', async (_name, signals) => {
  const { millrace, id } = await startAtWork('ignore-signal 1500');
  for (const signal of signals) millrace.send(signal);
  expect(await millrace.ended).toEqual(CLEAN);
  expect(await postgresOn(dataDir)).toBeUndefined();
  expect(await lookInto((rows) => rows.effects(id))).toEqual([millrace.pid]);
});

it('gives back what does not end in time, and the next start runs it', async () => {
  const { millrace, id } = await startAtWork('ignore-signal 8000', { MILLRACE_SHUTDOWN_MS: '100' });
  expect(await millrace.end('SIGTERM')).toEqual(CLEAN);
  expect(await postgresOn(dataDir)).toBeUndefined();
  expect(await lookInto((rows) => rows.states([id]))).toEqual(['waiting']);

  const { millrace: next } = await startAtWork('ok');
  const rows = new TaskRows(await databaseUrlOf(dataDir));
  await vi.waitFor(async () => expect(await rows.runners(id)).toEqual([millrace.pid, next.pid]), WAIT_OPTIONS);
  await rows.close();
});

it.each([
  ['it makes its first database', newDataFolder, /Creating a PostgreSQL database/],
  ['its PostgreSQL is just up', () => dataDir, /PostgreSQL (started|was running already)/],
])('ends cleanly when told so while %s', async (_name, folder, moment) => {
  const startingOn = folder();
  const millrace = startMillrace({ MILLRACE_DATA_DIR: startingOn, PORT: '0' });
  await millrace.printed(moment);
  expect(await millrace.end('SIGTERM')).toEqual(CLEAN);
  expect(await postgresOn(startingOn)).toBeUndefined();
});

it('stops in peace when its PostgreSQL was just killed', async () => {
  const { millrace } = await startAtWork('ok', { MILLRACE_SHUTDOWN_MS: '2000' });
  process.kill((await serverOf(dataDir)).pid, 'SIGKILL');
  expect(await millrace.end('SIGTERM')).toEqual(CLEAN);
  expect(millrace.stderr).not.toMatch(/^ {4}at /m);
  expect(await postgresOn(dataDir)).toBeUndefined();
});

it('stops its PostgreSQL also when another part fails to stop', async () => {
  const millrace = startMillrace({ MILLRACE_DATA_DIR: dataDir, PORT: '0' }, 'millrace-with-stubborn-part');
  await millrace.address();
  expect(await millrace.end('SIGTERM')).toEqual(CLEAN);
  expect(millrace.stdout).toContain('this part does not want to end');
  expect(await postgresOn(dataDir)).toBeUndefined();
});
