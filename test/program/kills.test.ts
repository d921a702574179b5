import { expect, it, vi } from 'vitest';
import { newDataFolder } from '../harness/data-folder.js';
import { databaseUrlOf, postgresOn } from './embedded-server.js';
import { startMillrace } from './millrace-process.js';
import { TaskRows } from './task-rows.js';

const WAIT_OPTIONS = { timeout: 30_000, interval: 100 };

it('runs the interrupted job again after kill -9, on the same data', { timeout: 60_000 }, async () => {
  const environment = {
    MILLRACE_DATA_DIR: newDataFolder(),
    PORT: '0',
    MILLRACE_SWEEP_MS: '200',
    MILLRACE_JOB_LOCK_MS: '1000',
  };
  const killed = startMillrace(environment, 'millrace-with-tasks');
  await killed.address();
  const rows = new TaskRows(await databaseUrlOf(environment.MILLRACE_DATA_DIR));
  await rows.create();
  const [id = ''] = await rows.store(['ignore-signal 1000']);
  await vi.waitFor(async () => expect(await rows.runners(id)).toEqual([killed.pid]), WAIT_OPTIONS);
  await killed.end('SIGKILL');
  expect(await postgresOn(environment.MILLRACE_DATA_DIR)).toBeDefined();

  const next = startMillrace(environment, 'millrace-with-tasks');

  await vi.waitFor(async () => expect(await rows.states([id])).toEqual(['done']), WAIT_OPTIONS);
  expect(await rows.runners(id)).toEqual([killed.pid, next.pid]);
  expect(await rows.effects(id)).toEqual([next.pid]);
  await rows.close();
});
