import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { outgoingParts } from '../../../test/harness/outgoing.js';
import type { Site } from '../../../test/harness/site.js';
import { startStrictSite, untold } from '../../../test/harness/strict-site.js';

const store = testDatabase();
const newProcess = (choices = {}) => outgoingParts(store.database, choices);
const range = (count: number) => Array.from({ length: count }, (_, at) => at);
const settled = <T>(all: Promise<T>[]) => Promise.allSettled(all);

describe('requests with a cap', () => {
  const capped = (from: ReturnType<typeof newProcess>, site: Site, { host = '', maxPerSecond = 1, ...options }) =>
    from.client.get(site.url('/', host), { ...options, background: { maxPerSecond } });
  const untilOf = (ends: PromiseSettledResult<unknown>[]) =>
    ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.until.getTime()] : [])).toSorted((a, b) => a - b);

  it('are spaced out at a host, over all processes, and reserve nothing further off than a second', async () => {
    const { site, taken } = await startStrictSite({ most: 100, windowMs: 1_000, tell: untold });
    const processes = [newProcess(), newProcess()];
    const host = 'capped.example';
    const sent = range(3).flatMap(() => processes.map((process) => capped(process, site, { host })));
    const [first = 0, ...others] = untilOf(await settled(sent));
    expect(taken).toHaveLength(2);
    expect(others.map((ms) => Math.round((ms - first) / 1_000))).toEqual([1, 2, 3]);
    await expect(settled(sent)).resolves.toContainEqual(
      expect.objectContaining({ reason: expect.objectContaining({ code: 'HOST_BUSY' }) }),
    );
  });

  it('that were refused have reserved nothing: a free slot goes to the next caller', async () => {
    const { site } = await startStrictSite({ most: 100, windowMs: 1_000, tell: untold });
    const process = newProcess({ hostConcurrency: 20 });
    const options = { host: 'crowded.example', maxPerSecond: 2 };
    const turnedAway = untilOf(await settled(range(20).map(() => capped(process, site, options))));
    expect(turnedAway.length).toBeGreaterThan(10);
    expect((await capped(process, site, options)).status).toBe(200);
  });

  it('do not wait for those at another host, and hold up no request without a cap', async () => {
    const { site, taken } = await startStrictSite({ most: 100, windowMs: 1_000, tell: untold });
    const process = newProcess();
    await settled(range(4).map(() => capped(process, site, { host: 'slow.example' })));
    const before = taken.length;
    await capped(process, site, { host: 'free.example' });
    await process.client.get(site.url('/', 'slow.example'));
    expect(taken).toHaveLength(before + 2);
  });

  it('wait longer where they continue earlier ones', async () => {
    const { site, taken } = await startStrictSite({ most: 100, windowMs: 1_000, tell: untold });
    const process = newProcess();
    const options = { host: 'continued.example', maxPerSecond: 2 };
    await settled(range(6).map(() => capped(process, site, options)));
    const before = taken.length;
    await settled(range(2).map(() => capped(process, site, { ...options, isContinuation: true })));
    expect(taken).toHaveLength(before + 2);
  });

  it('take the slots of the host alone where its limit is stricter, and else both', async () => {
    const { site } = await startStrictSite({ most: 100, windowMs: 1_000, tell: untold });
    const process = newProcess();
    const paced = async (host: string) =>
      (await store.database.pool.query('SELECT FROM host_paces WHERE host = $1', [host])).rowCount;
    for (const [host, perMinute] of [
      ['strict.example', 60],
      ['lax.example', 61],
    ] as const) {
      await process.store.set({ host, perMinute });
      process.limits.invalidate();
      await capped(process, site, { host });
      expect((await process.store.find(host))?.used).toBe(1);
    }
    expect([await paced('strict.example'), await paced('lax.example')]).toEqual([0, 1]);
  });

  it('can be aborted while they wait', async () => {
    const { site } = await startStrictSite({ most: 100, windowMs: 1_000, tell: untold });
    const process = newProcess();
    await capped(process, site, { host: 'stopped.example' });
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(capped(process, site, { host: 'stopped.example', signal })).rejects.toThrow('enough');
  });

  it('are forgotten where none was sent for an hour', async () => {
    const { site } = await startStrictSite({ most: 100, windowMs: 1_000, tell: untold });
    const process = newProcess();
    await capped(process, site, { host: 'forgotten.example' });
    const { pool } = store.database;
    await pool.query(`UPDATE host_paces SET next_at = now() - interval '2 hours' WHERE host = 'forgotten.example'`);
    await process.store.forgetOld();
    expect((await pool.query(`SELECT FROM host_paces WHERE host = 'forgotten.example'`)).rowCount).toBe(0);
  });
});
