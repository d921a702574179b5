import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { commandLineOf, isRunning, startOf } from './running-process.js';

function startSleep(script = 'exec sleep 60') {
  const child = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

it('knows a running process by its start and its command line', async () => {
  const { pid = 0 } = startSleep();
  expect(await isRunning(pid)).toBe(true);
  expect(await startOf(pid)).toBe(await startOf(pid));
  await expect.poll(() => commandLineOf(pid)).toBe('sleep 60');
});

it('knows that an ended process is gone', async () => {
  const child = startSleep();
  const { pid = 0 } = child;
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect([await isRunning(pid), await startOf(pid), await commandLineOf(pid)]).toEqual([false, undefined, '']);
});

it.runIf(process.platform === 'linux')('counts a process that nobody buries as gone', async () => {
  const parent = startSleep('sleep 0.01 & echo $!; exec sleep 60');
  const [pid] = await once(parent.stdout, 'data');
  await expect.poll(() => isRunning(Number(pid)), { timeout: 10_000 }).toBe(false);
  expect(() => process.kill(Number(pid), 0)).not.toThrow();
});
