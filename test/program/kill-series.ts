import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { newDataFolder } from '../harness/data-folder.js';
import { databaseUrlOf, postgresOn } from './embedded-server.js';
import { type MillraceProcess, startMillrace } from './millrace-process.js';
import { printedSeed, seededRandom } from './seeded-random.js';
import { TaskRows } from './task-rows.js';

const VICTIMS = ['Millrace', 'PostgreSQL', 'both'] as const;
type Victim = (typeof VICTIMS)[number];

/** Includes creating the database and its tables. */
const FIRST_START_MS = 5_000;
const MAX_WORK_MS = 2_500;
/** More than are done before the last kill, although ten run concurrently. */
const TASKS_PER_KILL = 60;
const SCRIPT = 'sleep 200';
const WAIT_OPTIONS = { timeout: 120_000, interval: 200 };

/**
 * Kills the first start, then starts Millrace with work to do and kills it, its PostgreSQL or both that many times, by
 * turns while it starts and while it works. In the end every task has had its effect once.
 */
export async function surviveKills(kills: number): Promise<void> {
  const random = seededRandom(printedSeed());
  const dataDir = newDataFolder();
  await killDuringFirstStart(dataDir, random() * FIRST_START_MS);
  const { rows, startMs } = await prepare(dataDir, kills * TASKS_PER_KILL);

  let millrace = start(dataDir);
  for (let kill = 0; kill < kills; kill++) {
    const victim = VICTIMS[kill % VICTIMS.length] ?? 'both';
    if (kill % 2) millrace = await upAgain(millrace, dataDir);
    // The first half of a start only loads code.
    await sleep(kill % 2 ? random() * MAX_WORK_MS : (0.5 + random() / 2) * startMs);
    await strike(victim, millrace, dataDir);
    if (victim !== 'PostgreSQL') millrace = start(dataDir);
  }

  millrace = await upAgain(millrace, dataDir);
  const done = { tasks: kills * TASKS_PER_KILL, notDone: 0, notOnce: 0, dead: 0 };
  await vi.waitFor(async () => expect(await rows.summary()).toMatchObject(done), WAIT_OPTIONS);
  await rows.close();
  expect(await millrace.end('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(await postgresOn(dataDir)).toBeUndefined();
}

function start(dataDir: string): MillraceProcess {
  const times = { MILLRACE_SWEEP_MS: '500', MILLRACE_JOB_LOCK_MS: '1000' };
  return startMillrace({ MILLRACE_DATA_DIR: dataDir, PORT: '0', ...times }, 'millrace-with-tasks');
}

async function killDuringFirstStart(dataDir: string, afterMs: number): Promise<void> {
  const millrace = start(dataDir);
  await sleep(afterMs);
  await millrace.end('SIGKILL');
}

/** Stores the tasks, and measures how long a start takes here. */
async function prepare(dataDir: string, tasks: number): Promise<{ rows: TaskRows; startMs: number }> {
  const startedAt = Date.now();
  const millrace = start(dataDir);
  await millrace.address();
  const startMs = Date.now() - startedAt;
  const rows = new TaskRows(await databaseUrlOf(dataDir));
  await rows.create();
  await rows.store(Array.from({ length: tasks }, () => SCRIPT));
  expect(await millrace.end('SIGTERM')).toEqual({ code: 0, signal: null });
  return { rows, startMs };
}

/** A start whose database is killed may exit with a message. Its supervisor then starts it again. */
async function upAgain(millrace: MillraceProcess, dataDir: string): Promise<MillraceProcess> {
  const [up] = await Promise.allSettled([millrace.address()]);
  if (up.status === 'fulfilled') {
    expect(millrace.hasEnded, millrace.stderr).toBe(false);
    return millrace;
  }
  expect(await millrace.ended).toEqual({ code: 1, signal: null });
  expect(millrace.stderr).toMatch(/^(cannot|PostgreSQL) /m);
  expect(millrace.stderr).not.toMatch(/^ {4}at /m);
  const next = start(dataDir);
  await next.address();
  return next;
}

async function strike(victim: Victim, millrace: MillraceProcess, dataDir: string): Promise<void> {
  if (victim !== 'PostgreSQL') await millrace.end('SIGKILL');
  const postgres = await postgresOn(dataDir);
  if (victim !== 'Millrace' && postgres) process.kill(postgres.pid, 'SIGKILL');
}
