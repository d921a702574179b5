import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { HostSemaphore } from './host-semaphore.js';

const patient = { ms: 10_000 };

/** Tasks that run until the test ends them, with a list of those that have begun. */
function pieces(budget: HostSemaphore) {
  const begun: string[] = [];
  const finish = new Map<string, () => void>();
  const run = (
    name: string,
    { host = 'a.example', ms = 10_000, signal }: Partial<{ host: string; ms: number; signal: AbortSignal }> = {},
  ) =>
    budget.run(host, { ms, signal }, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => finish.set(name, resolve));
      return name;
    });
  return { begun, run, finish: (name: string) => finish.get(name)?.() };
}

it('lets two run at once and the others in the order of their arrival', async () => {
  const { begun, run, finish } = pieces(new HostSemaphore(2));
  const all = ['1', '2', '3', '4'].map((name) => run(name));
  await sleep(5);
  expect(begun).toEqual(['1', '2']);
  finish('2');
  await all[1];
  await sleep(5);
  expect(begun).toEqual(['1', '2', '3']);
  finish('1');
  await sleep(5);
  expect(begun).toEqual(['1', '2', '3', '4']);
  finish('3');
  finish('4');
  expect(await Promise.all(all)).toEqual(['1', '2', '3', '4']);
});

it('keeps a line for each host', async () => {
  const { begun, run } = pieces(new HostSemaphore(1));
  void run('a');
  void run('b', { host: 'b.example' });
  await sleep(5);
  expect(begun).toEqual(['a', 'b']);
});

it('lets those behind move up when one gives up, and those in front are not disturbed', async () => {
  const { begun, run, finish } = pieces(new HostSemaphore(1));
  const stop = new AbortController();
  void run('1');
  const second = run('2', { signal: stop.signal });
  void run('3');
  stop.abort(new Error('no longer wanted'));
  await expect(second).rejects.toThrow('no longer wanted');
  finish('1');
  await sleep(5);
  expect(begun).toEqual(['1', '3']);
});

it('does not queue a caller that has given up already', async () => {
  const { run } = pieces(new HostSemaphore(1));
  void run('1');
  await expect(run('2', { signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow('too late');
});

it('says that the host is busy when waiting takes too long', async () => {
  const { begun, run, finish } = pieces(new HostSemaphore(1));
  void run('1');
  await expect(run('2', { ms: 10 })).rejects.toMatchObject({ code: 'HOST_BUSY' });
  finish('1');
  await sleep(5);
  expect(begun).toEqual(['1']);
});

it('gives the place back when the work fails', async () => {
  const budget = new HostSemaphore(1);
  await expect(budget.run('a.example', patient, () => Promise.reject(new Error('sick')))).rejects.toThrow('sick');
  expect(await budget.run('a.example', patient, async () => 'well')).toBe('well');
});
