import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { Trial } from '../../../test/programs/threads.thread.js';
import { ThreadPool } from './thread-pool.js';

const module = new URL('../../../dist/test/programs/threads.thread.js', import.meta.url);

describe('ThreadPool', () => {
  const pools: ThreadPool<Trial, unknown>[] = [];
  afterEach(async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.close()));
  });

  function newPool(options: { size?: number; timeoutMs?: number; memoryMb?: number; module?: URL } = {}) {
    const pool = new ThreadPool<Trial, unknown>({ module, size: 1, timeoutMs: 20_000, memoryMb: 64, ...options });
    pools.push(pool);
    return pool;
  }

  const works = async (pool: ThreadPool<Trial, unknown>) => expect(await pool.run({ act: 'double', of: 21 })).toBe(42);

  it('answers each of many calls over few threads with its own result', async () => {
    const pool = newPool({ size: 2 });
    const numbers = Array.from({ length: 500 }, (_, of) => of);
    const results = await Promise.all(numbers.map((of) => pool.run({ act: 'double', of })));
    expect(results).toEqual(numbers.map((of) => of * 2));
  });

  it('moves what is transferred instead of copying it', async () => {
    const bytes = new Uint8Array(randomBytes(1_000));
    expect(await newPool().run({ act: 'measure', bytes }, [bytes.buffer])).toBe(1_000);
    expect(bytes.byteLength).toBe(0);
  });

  it('fails with what the function threw, and goes on', async () => {
    const pool = newPool();
    const until = new Date('2030-01-01T00:00:00Z');
    const error = await pool.run({ act: 'fail', code: 'FAR', until }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'RangeError', message: 'too far', code: 'FAR', until });
    expect(error).not.toHaveProperty('inner');
    await expect(pool.run({ act: 'fail with a string' })).rejects.toThrow('just words');
    await works(pool);
  });

  it('fails on what cannot be copied, either way, and goes on', async () => {
    const pool = newPool();
    await expect(pool.run({ act: 'double', of: (() => 1) as unknown as number })).rejects.toThrow(
      'could not be cloned',
    );
    await expect(pool.run({ act: 'answer with a function' })).rejects.toThrow('could not be cloned');
    await works(pool);
  });

  it.each(['loop', 'sleep'] as const)('ends a thread whose call takes too long (%s), and replaces it', async (act) => {
    const pool = newPool({ timeoutMs: 300 });
    const late = pool.run({ act });
    const behind = pool.run({ act: 'double', of: 2 });
    await expect(late).rejects.toMatchObject({ name: 'ThreadTimeout', message: 'not done after 300 ms' });
    expect(await behind).toBe(4);
  });

  it.runIf(process.platform === 'linux')(
    'counts the time that a thread computes, not the time that passes',
    { timeout: 120_000 },
    async () => {
      // On two cores the last of them ends after twice the limit.
      const pool = newPool({ size: 8, timeoutMs: 1_000 });
      const calls = Array.from({ length: 8 }, () => pool.run({ act: 'compute', cpuMs: 500 }));
      expect(await Promise.all(calls)).toEqual(Array(8).fill('done'));
      await expect(pool.run({ act: 'compute', cpuMs: 10_000 })).rejects.toMatchObject({ name: 'ThreadTimeout' });
    },
  );

  it('counts no time that a call waits for a thread', async () => {
    const pool = newPool({ timeoutMs: 300 });
    const late = Array.from({ length: 4 }, () => pool.run({ act: 'loop' }));
    const last = pool.run({ act: 'double', of: 3 });
    expect((await Promise.allSettled(late)).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    expect(await last).toBe(6);
  });

  it.each(['objects', 'strings'] as const)('survives a thread that fills its memory with %s', async (kind) => {
    const pool = newPool();
    const bomb = pool.run({ act: 'fill memory', with: kind });
    const behind = pool.run({ act: 'double', of: 2 });
    await expect(bomb).rejects.toMatchObject({ name: 'ThreadDied', message: expect.stringContaining('memory') });
    expect(await behind).toBe(4);
  });

  it('fails a call whose thread exits or crashes, and replaces it', async () => {
    const pool = newPool();
    await expect(pool.run({ act: 'exit' })).rejects.toMatchObject({ name: 'ThreadDied' });
    await expect(pool.run({ act: 'crash later' })).rejects.toMatchObject({
      name: 'ThreadDied',
      message: expect.stringContaining('from nowhere'),
    });
    await works(pool);
  });

  it('fails with a RangeError where the function recurses without end, and keeps the thread', async () => {
    const pool = newPool();
    await expect(pool.run({ act: 'overflow the stack' })).rejects.toMatchObject({ name: 'RangeError' });
    await works(pool);
  });

  it('fails every call of a module that cannot be loaded', async () => {
    const pool = newPool({ module: new URL('./missing.thread.js', import.meta.url) });
    const calls = Array.from({ length: 3 }, () => pool.run({ act: 'double', of: 1 }));
    for (const call of calls) await expect(call).rejects.toMatchObject({ name: 'ThreadDied' });
  });

  it('rejects running, waiting and later calls once it is closed', async () => {
    const pool = newPool();
    const calls = [pool.run({ act: 'loop' }), pool.run({ act: 'double', of: 1 })];
    const ends = Promise.allSettled(calls);
    await pool.close();
    expect((await ends).map((end) => end.status === 'rejected' && end.reason.name)).toEqual([
      'ThreadDied',
      'ThreadDied',
    ]);
    await expect(pool.run({ act: 'double', of: 1 })).rejects.toMatchObject({ name: 'ThreadDied' });
  });
});
