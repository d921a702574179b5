import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { testDatabase } from '../harness/database.js';
import { type Engine, startEngine } from './engine.js';
import { createTaskTables } from './tasks.js';
import { killWorkerProcesses, startWorkerProcess } from './worker-process.js';

const WAIT_OPTIONS = { timeout: 60_000, interval: 100 };
const LOCK_MS = 1_000;

interface Backend {
  name: string;
  redisUrl: () => string | undefined;
  /** Leaves out what depends little on the backend. */
  short?: boolean;
}

/** What every queue backend must survive: processes that are killed, frozen and stopped. */
export function crashConformance({ name, redisUrl, short = false }: Backend) {
  const given = testDatabase();
  /** Stores and enqueues tasks. Other processes do the work. */
  let engine: Engine;

  beforeAll(async () => {
    await createTaskTables(given.database.db);
    engine = await startEngine({ databaseUrl: given.url, redisUrl: redisUrl(), roles: 'scheduler' });
  });
  afterEach(killWorkerProcesses);
  afterAll(() => engine?.stop());

  const worker = (more: { shutdownMs?: number } = {}) =>
    startWorkerProcess({ databaseUrl: given.url, redisUrl: redisUrl(), lockMs: LOCK_MS, ...more });
  const allDone = (ids: string[]) =>
    vi.waitFor(async () => expect(await engine.states(ids)).toEqual({ done: ids.length }), WAIT_OPTIONS);
  const hasBegun = (id: string) =>
    vi.waitFor(async () => expect(await engine.runs([id])).not.toEqual([]), WAIT_OPTIONS);

  describe(`crashes on ${name}`, { timeout: 120_000 }, () => {
    it('runs a job again whose worker was killed while it ran, with one effect', async () => {
      const first = await worker();
      const [id = ''] = await engine.enqueue(['sleep 3000']);
      await hasBegun(id);
      first.kill();
      await first.ended();
      await worker();
      await allDone([id]);
      expect(await engine.effects([id])).toEqual([id]);
      expect(await engine.attempts([id])).toEqual([1, 1]);
    });

    it('refuses the effect of a worker that was frozen past its lock and then woken', async () => {
      const frozen = await worker();
      const [id = ''] = await engine.enqueue(['ignore-signal 2000']);
      await hasBegun(id);
      frozen.freeze();
      const other = await worker();
      await allDone([id]);
      expect(await engine.effectPids([id])).toEqual([other.pid]);
      frozen.wake();
      await frozen.said('"outcome":"superseded"');
      expect(await engine.effectPids([id])).toEqual([other.pid]);
    });

    it('finishes what runs on SIGTERM, takes nothing new and exits with 0', async () => {
      const stopped = await worker();
      const [running = ''] = await engine.enqueue(['ignore-signal 1500']);
      await hasBegun(running);
      const exit = stopped.terminate();
      await new Promise((resolve) => setTimeout(resolve, 200));
      const [late = ''] = await engine.enqueue(['ok']);
      expect(await exit).toBe(0);
      expect(await engine.states([running])).toEqual({ done: 1 });
      expect(await engine.states([late])).toEqual({ waiting: 1 });
      await worker();
      await allDone([running, late]);
    });

    it.each(short ? ['sleep 20000'] : ['sleep 20000', 'ignore-signal 20000'])(
      'gives back what does not end in time: %s',
      async (script) => {
        const stopped = await worker({ shutdownMs: 300 });
        const [id = ''] = await engine.enqueue([script]);
        await hasBegun(id);
        expect(await stopped.terminate()).toBe(0);
        expect(await engine.queueState(id)).toBe('waiting');
        const next = await worker();
        await next.said('ready');
        await vi.waitFor(async () => expect(await engine.attempts([id])).toEqual([1, 1]), WAIT_OPTIONS);
        expect(await engine.effects([id])).toEqual([]);
      },
    );

    if (short) return;

    it('runs a job whose worker was killed before what waits behind it', async () => {
      const first = await worker();
      const [hit = '', ...backlog] = await engine.enqueue([
        'sleep 3000',
        ...Array.from({ length: 150 }, () => 'sleep 200'),
      ]);
      await hasBegun(hit);
      first.kill();
      await first.ended();
      await worker();
      await allDone([hit, ...backlog]);
      const runs = await engine.runs([hit, ...backlog]);
      expect(runs.lastIndexOf(hit)).toBeLessThan(runs.length - 30);
    });

    it('does not give up on a job that was hit by three crashes in a row', async () => {
      const [id = ''] = await engine.enqueue(['die-first 3']);
      for (let crash = 0; crash < 3; crash++) {
        const victim = await worker();
        await victim.ended();
      }
      await worker();
      await allDone([id]);
      expect(await engine.runs([id])).toHaveLength(4);
      expect(await engine.effects([id])).toEqual([id]);
    });

    it('does not take a job that was taken away from its worker for a failed one', async () => {
      const frozen = await worker();
      const [id = ''] = await engine.enqueue(['sleep 4000']);
      await hasBegun(id);
      frozen.freeze();
      await new Promise((resolve) => setTimeout(resolve, 3 * LOCK_MS));
      const other = await worker();
      await vi.waitFor(async () => expect(await engine.runs([id])).toHaveLength(2), WAIT_OPTIONS);
      frozen.wake();
      await frozen.said('"outcome":"superseded"');
      await allDone([id]);
      expect(await engine.effectPids([id])).toEqual([other.pid]);
      expect(await engine.attempts([id])).toEqual([1, 1]);
    });
  });
}
