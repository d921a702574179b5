import { expect, it, onTestFinished, vi } from 'vitest';
import { newDataFolder } from '../harness/data-folder.js';
import { databaseUrlOf } from '../program/embedded-server.js';
import { type MillraceProcess, startMillrace } from '../program/millrace-process.js';
import { TaskRows } from '../program/task-rows.js';

const WAIT_OPTIONS = { timeout: 120_000, interval: 200 };
/** Three deaths beside others, one alone, and as many again for what a busy machine delays. */
const MAX_STARTS = 8;
const GOOD = 20;

/** Starts Millrace again whenever it dies, as a service manager does. */
function keepRunning(environment: Record<string, string>) {
  const started: MillraceProcess[] = [];
  const ends: (() => Promise<void>)[] = [];
  onTestFinished(async () => void (await Promise.all(ends.map((end) => end()))));
  const start = () => {
    const millrace = startMillrace(environment, 'millrace-with-tasks', { keep: (end) => ends.push(end) });
    started.push(millrace);
    void millrace.ended.then(({ signal }) => {
      if (signal === 'SIGKILL' && started.length < MAX_STARTS) start();
    });
  };
  start();
  return { started, current: () => started.at(-1) as MillraceProcess };
}

it('gives up on a job that ends the process after a few starts, and runs all others', {
  timeout: 180_000,
}, async () => {
  const environment = {
    MILLRACE_DATA_DIR: newDataFolder(),
    PORT: '0',
    MILLRACE_SWEEP_MS: '200',
    MILLRACE_JOB_LOCK_MS: '1000',
  };
  const service = keepRunning(environment);
  await service.current().address();
  const rows = new TaskRows(await databaseUrlOf(environment.MILLRACE_DATA_DIR));
  await rows.create();
  const good = Array.from({ length: GOOD }, () => 'sleep 300');
  const ids = await rows.store(['die-first 99', ...good]);
  const expected = ['failed', ...good.map(() => 'done')];
  await vi.waitFor(async () => expect(await rows.states(ids)).toEqual(expected), WAIT_OPTIONS);
  expect(await rows.summary()).toMatchObject({ notOnce: 1, dead: 1 });
  const reason =
    /^it ends the process that runs it: \d processes died while running it, the last one while it ran alone$/;
  expect(await rows.deadLetterReasons()).toEqual([expect.stringMatching(reason)]);
  expect(await rows.failures(ids[0] ?? '')).toEqual([expect.stringMatching(reason)]);

  const starts = service.started.length;
  const [later = ''] = await rows.store(['ok']);
  await vi.waitFor(async () => expect(await rows.states([later])).toEqual(['done']), WAIT_OPTIONS);
  expect(service.started).toHaveLength(starts);
  expect(starts).toBeLessThan(MAX_STARTS);
  process.stdout.write(`The process lived from start ${starts} on.\n`);
  await rows.close();
  expect(await service.current().end('SIGTERM')).toEqual({ code: 0, signal: null });
});
