import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { newDataFolder } from '../harness/data-folder.js';
import { databaseUrlOf, postgresOn } from './embedded-server.js';
import { type MillraceProcess, startMillrace } from './millrace-process.js';
import { printedSeed, seededRandom } from './seeded-random.js';
import { TaskRows } from './task-rows.js';

const VICTIMS = ['Millrace', 'PostgreSQL', 'both'] as const;
type Victim = (typeof VICTIMS)[number];

/** A start takes about half of it: half of the kills hit a Millrace that is still starting. */
const LATEST_KILL_MS = 6_000;
const TASK_MS = 200;
/** As many as are done during one start at most, ten at a time. */
const TASKS_PER_KILL = 150;
const PATIENCE = { timeout: 120_000, interval: 200 };

/** Starts Millrace on a new data folder, gives it work, and kills it, its database or both that many times. */
export async function surviveKills(kills: number): Promise<void> {
  const random = seededRandom(printedSeed());
  const dataDir = newDataFolder();
  const start = () =>
    startMillrace(
      { MILLRACE_DATA_DIR: dataDir, PORT: '0', MILLRACE_SWEEP_MS: '500', MILLRACE_JOB_LOCK_MS: '1000' },
      'millrace-with-tasks',
    );
  await killDuringFirstStart(start(), random());
  let millrace = start();
  await millrace.address();
  const rows = new TaskRows(await databaseUrlOf(dataDir));
  await rows.create();
  await rows.store(Array.from({ length: kills * TASKS_PER_KILL }, () => `sleep ${TASK_MS}`));

  for (let kill = 0; kill < kills; kill++) {
    await sleep(random() * LATEST_KILL_MS);
    const victim = VICTIMS[kill % VICTIMS.length] ?? 'both';
    await strike(victim, millrace, dataDir);
    if (millrace.hasEnded) millrace = start();
  }

  await millrace.address();
  const done = { tasks: kills * TASKS_PER_KILL, notDone: 0, notOnce: 0, dead: 0 };
  await vi.waitFor(async () => expect(await rows.summary()).toMatchObject(done), PATIENCE);
  await rows.close();
  expect(await millrace.end('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(await postgresOn(dataDir)).toBeUndefined();
}
