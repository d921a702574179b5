import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { outgoingParts } from '../../../test/harness/outgoing.js';
import { type Site, startSite } from '../../../test/harness/site.js';
import { retryAfter, startStrictSite, untold } from '../../../test/harness/strict-site.js';
import { Events } from '../events/events.js';
import { Clock } from '../time/clock.js';

const store = testDatabase();
const listening: Events[] = [];

beforeAll(async () => {
  listening.push(...[1, 2].map(() => new Events(store.database, pino({ level: 'silent' }))));
  for (const events of listening) await events.onApplicationBootstrap();
});
afterAll(async () => {
  for (const events of listening) await events.onApplicationShutdown();
});

class LaterClock extends Clock {
  lateByMs = 0;
  override now() {
    return new Date(Date.now() + this.lateByMs);
  }
}

const clock = new LaterClock();
const newProcess = (at = 0, choices = {}) =>
  outgoingParts(store.database, { events: listening[at] as Events, clock, ...choices });

const range = (count: number) => Array.from({ length: count }, (_, at) => at);
const paths = (taken: { path: string }[]) => taken.map(({ path }) => path);
/** Sets columns of a host's limit to SQL expressions. */
const put = (host: string, set: string) =>
  store.database.pool.query(`UPDATE host_limits SET ${set} WHERE host = $1`, [host]);
const settled = <T>(all: Promise<T>[]) => Promise.allSettled(all);

async function ask(from: ReturnType<typeof newProcess>, { site, host }: { site: Site; host: string }, names: string[]) {
  for (const name of names) await from.client.get(site.url(`/${name}`, `www.${host}`));
}

describe('a host that tells its limit', () => {
  it('is never asked for more, by any process, from its first answer on', async () => {
    const policy = { 'ratelimit-policy': '"second";q=10;w=1' };
    const strict = await startStrictSite({ most: 10, windowMs: 1_000, tell: () => policy });
    const processes = [newProcess(0), newProcess(1)];
    await ask(newProcess(), strict, ['first']);
    await Promise.all(
      processes.flatMap(({ client }) => range(6).map((at) => client.get(strict.site.url(`/${at}`, strict.host)))),
    );
    expect(strict.taken).toHaveLength(13);
    expect(strict.refused).toEqual([]);
    expect(await newProcess().store.find(strict.host)).toMatchObject({ perMinute: 300, origin: 'header' });
  });

  it('is left alone while it says that nothing is left', async () => {
    const left = { 'ratelimit-limit': '5', 'ratelimit-remaining': '0', 'ratelimit-reset': '55' };
    const strict = await startStrictSite({ most: 5, windowMs: 60_000, tell: () => left });
    const { client } = newProcess();
    await ask({ ...newProcess(), client }, strict, ['last']);
    const next = client.get(strict.site.url('/', strict.host));
    await expect(next).rejects.toMatchObject({ code: 'HOST_BACKING_OFF', until: expect.any(Date) });
  });

  it.each(['9007199254740991', '1000000000;w=1'])('gets through though it tells nonsense: %s', async (limit) => {
    const nonsense = { 'ratelimit-limit': limit, 'ratelimit-policy': `"x";q=${limit}`, 'ratelimit-reset': '60' };
    const strict = await startStrictSite({ most: 5, windowMs: 60_000, tell: () => nonsense });
    const { client, store: limits } = newProcess();
    expect((await client.get(strict.site.url('/', strict.host))).status).toBe(200);
    expect(await limits.find(strict.host)).toBeUndefined();
  });

  it('gets through though what it tells cannot be kept', async () => {
    const policy = { 'ratelimit-policy': '"minute";q=60;w=60' };
    const strict = await startStrictSite({ most: 5, windowMs: 60_000, tell: () => policy });
    const { pool } = store.database;
    await pool.query(`ALTER TABLE host_limits ADD CONSTRAINT full_up CHECK (host <> '${strict.host}')`);
    onTestFinished(async () => void (await pool.query('ALTER TABLE host_limits DROP CONSTRAINT full_up')));
    const { client, store: limits } = newProcess();
    expect((await client.get(strict.site.url('/', strict.host))).status).toBe(200);
    expect(await limits.find(strict.host)).toBeUndefined();
  });

  it('again is seen to do so, which is nothing new', async () => {
    const policy = { 'ratelimit-policy': '"minute";q=6000;w=60' };
    const strict = await startStrictSite({ most: 100, windowMs: 60_000, tell: () => policy });
    await ask(newProcess(), strict, ['first']);
    const long = `now() - interval '2 days'`;
    await put(strict.host, `learned_at = ${long}, seen_at = ${long}`);
    const { client, store: limits } = newProcess();
    const before = await limits.find(strict.host);
    await client.get(strict.site.url('/again', strict.host));
    const after = await limits.find(strict.host);
    expect(after?.learnedAt).toEqual(before?.learnedAt);
    expect(Number(after?.seenAt)).toBeGreaterThan(Number(before?.seenAt));
  });

  it('tells an account only of that account', async () => {
    const left = { ratelimit: 'limit=5, remaining=0, reset=60' };
    const strict = await startStrictSite({ most: 5, windowMs: 60_000, tell: () => left });
    const { client, store: limits } = newProcess();
    for (const path of ['/1', '/2'])
      expect((await client.get(strict.site.url(path, strict.host), { asAccount: true })).status).toBe(200);
    expect(await limits.find(strict.host)).toBeUndefined();
  });
});

describe('a host that refuses', () => {
  it('gets the limit that the refused process has run into, which the others keep as well', async () => {
    const strict = await startStrictSite({ most: 20, windowMs: 60_000, tell: retryAfter });
    const [one, other] = [newProcess(0), newProcess(1)];
    await ask(other, strict, range(8).map(String));
    await ask(one, strict, range(13).map(String));
    expect(strict.refused).toHaveLength(1);
    expect(await other.store.find(strict.host)).toMatchObject({ perMinute: 12, origin: 'refusal' });
  });

  it('gets no more than a minute of its own held, also where that began in the middle of ours', async () => {
    const edgeAt = Date.now() + 700;
    const strict = await startStrictSite({ most: 20, windowMs: 60_000, edgeAt, tell: retryAfter });
    const { client, store: limits } = newProcess();
    const one = { ...newProcess(), client };
    await ask(one, strict, range(10).map(String));
    await sleep(Math.max(0, edgeAt - Date.now()));
    for (const at of range(21)) {
      await ask(one, strict, [String(at)]);
      await sleep(100);
    }
    expect(strict.refused).toHaveLength(1);
    const { perMinute } = (await limits.find(strict.host)) ?? {};
    expect(perMinute).toBeGreaterThanOrEqual(10);
    expect(perMinute).toBeLessThanOrEqual(20);
  });

  it('gets half of what it took if it does not say when its minute began', async () => {
    const strict = await startStrictSite({ most: 24, windowMs: 60_000, tell: untold });
    const { client, store: limits } = newProcess();
    await ask({ ...newProcess(), client }, strict, range(25).map(String));
    expect(await limits.find(strict.host)).toMatchObject({ perMinute: 12 });
  });

  it('is asked again one by one, after a minute, also by a process that starts then', async () => {
    const strict = await startStrictSite({ most: 12, windowMs: 60_000, tell: retryAfter });
    await ask(newProcess(), strict, range(13).map(String));
    clock.lateByMs = 61_000;
    const { client, store: limits } = newProcess();
    const url = strict.site.url('/later', strict.host);
    const soon = client.get(url, { timeouts: { line: 50 } });
    await expect(soon).rejects.toMatchObject({ code: 'HOST_BUSY', until: expect.any(Date) });
    await expect(soon).rejects.toThrow('takes no more than 12 requests a minute; the slot of this one comes at');
    const minute = await limits.find(strict.host);
    expect(Number(minute?.nextAt) - Number(minute?.learnedAt)).toBeGreaterThan(59_000);
    clock.lateByMs = 0;
  });

  it('gets a lower limit if it refuses although it was kept, and one refusal lowers it once', async () => {
    const strict = await startStrictSite({ most: 0, windowMs: 60_000, tell: retryAfter });
    const { client, store: limits } = newProcess();
    await limits.learn({ ...refusal(strict.host, 6_000), pauseMs: 0 });
    await put(strict.host, `counted_in = date_trunc('minute', now()), used = 6000`);
    await settled(['/1', '/2'].map((path) => client.get(strict.site.url(path, strict.host))));
    expect(await limits.find(strict.host)).toMatchObject({
      perMinute: 4_800,
      because: expect.stringContaining('6000'),
    });
    expect(strict.refused.length).toBeGreaterThan(0);
  });

  it('keeps its limit if hardly anything was sent: that may be one sick path, until a second one is refused', async () => {
    const strict = await startStrictSite({ most: 0, windowMs: 60_000, tell: retryAfter });
    const { client, store: limits } = newProcess();
    await limits.learn({ ...refusal(strict.host, 6_000), origin: 'header', pauseMs: 0 });
    for (const [path, perMinute] of [
      ['/a', 6_000],
      ['/a', 6_000],
      ['/b', 4_800],
    ] as const) {
      await client.get(strict.site.url(path, strict.host));
      expect((await limits.find(strict.host))?.perMinute).toBe(perMinute);
      clock.lateByMs += 61_000;
    }
    clock.lateByMs = 0;
  });

  it('after a few requests may have one sick path: only a second one makes a limit', async () => {
    const strict = await startStrictSite({ most: 0, windowMs: 60_000, tell: retryAfter });
    const { client, store: limits } = newProcess();
    for (const [path, perMinute] of [['/a'], ['/a'], ['/b', 10]] as const) {
      await client.get(strict.site.url(path, strict.host));
      expect((await limits.find(strict.host))?.perMinute).toBe(perMinute);
      clock.lateByMs += 61_000;
    }
    clock.lateByMs = 0;
  });

  it('an account teaches nothing', async () => {
    const strict = await startStrictSite({ most: 0, windowMs: 60_000, tell: retryAfter });
    const { client, store: limits } = newProcess();
    for (const path of ['/a', '/b']) await client.get(strict.site.url(path, strict.host), { asAccount: true });
    expect(await limits.find(strict.host)).toBeUndefined();
  });

  it('keeps the limit that an administrator or the operator has set', async () => {
    const strict = await startStrictSite({ most: 0, windowMs: 60_000, tell: retryAfter });
    const { client, store: limits } = newProcess();
    await limits.set({ host: strict.host, perMinute: 77 });
    await client.get(strict.site.url('/', strict.host));
    expect(await limits.find(strict.host)).toMatchObject({ perMinute: 77, origin: 'set' });
  });
});

const refusal = (host: string, perMinute: number) => ({
  host,
  perMinute,
  origin: 'refusal' as const,
  because: 'It has refused.',
  ageMs: 0,
});

describe('a host with a limit', () => {
  it('is asked in turns that all processes share, writes before reads', async () => {
    const strict = await startStrictSite({ most: 100, windowMs: 1_000, tell: untold });
    const [one, other] = [newProcess(0), newProcess(1)];
    await one.store.set({ host: strict.host, perMinute: 120 });
    await ask(one, strict, ['first']);
    await put(strict.host, `next_at = now() + interval '2 seconds'`);
    const reads = [one, other, one, other].map(({ client }) => client.get(strict.site.url('/read', strict.host)));
    const write = other.client.request(strict.site.url('/write', strict.host), { method: 'POST', asAccount: true });
    await Promise.all([...reads, write]);
    expect(paths(strict.taken)).toEqual(['/first', '/write', '/read', '/read', '/read', '/read']);
    const { used, others } = (await one.store.find(strict.host)) ?? {};
    expect([used, others]).toEqual([expect.any(Number), used]);
  });

  it('keeps the turn of a write that cannot wait for it, and of those behind it', async () => {
    const strict = await startStrictSite({ most: 100, windowMs: 1_000, tell: untold });
    const { client, store: limits } = newProcess();
    const write = () => client.request(strict.site.url('/write', strict.host), { method: 'POST', asAccount: true });
    const read = () => client.get(strict.site.url('/read', strict.host), { timeouts: { line: 10 } });
    const busyFor = async (sent: Promise<unknown>) => {
      const [end] = await settled([sent]);
      return end?.status === 'rejected' ? Math.round((end.reason.until.getTime() - Date.now()) / 63_000) : undefined;
    };
    await limits.set({ host: strict.host, perMinute: 1 });
    await ask({ ...newProcess(), client }, strict, ['first']);
    expect([await busyFor(write()), await busyFor(write())]).toEqual([1, 2]);
    const pass = (column: string) => `${column} = ${column} - interval '63 seconds'`;
    for (const _ of range(2)) {
      await put(strict.host, ['next_at', 'return_at', 'writes_at'].map(pass).join(', '));
      await expect(read()).rejects.toMatchObject({ code: 'HOST_BUSY' });
      await write();
    }
    await put(strict.host, ['next_at', 'return_at', 'writes_at'].map(pass).join(', '));
    await read();
    expect(paths(strict.taken)).toEqual(['/first', '/write', '/write', '/read']);
  });

  it('sends away who cannot wait, each to another turn, and nothing was asked', async () => {
    const strict = await startStrictSite({ most: 100, windowMs: 1_000, tell: untold });
    const { client, store: limits } = newProcess();
    await limits.set({ host: strict.host, perMinute: 6 });
    await ask({ ...newProcess(), client }, strict, ['first']);
    const sent = range(4).map(() => client.get(strict.site.url('/x', strict.host), { timeouts: { line: 200 } }));
    const away = (await settled(sent)).map((end) => (end.status === 'rejected' ? end.reason.until.getTime() : 0));
    const [first = 0, ...others] = away.toSorted((a, b) => a - b);
    expect(others.map((ms) => Math.round((ms - first) / 10_500))).toEqual([1, 2, 3]);
    expect(paths(strict.taken)).toEqual(['/first']);
  });

  it('lets waiting requests be aborted', async () => {
    const strict = await startStrictSite({ most: 100, windowMs: 1_000, tell: untold });
    const { client, store: limits } = newProcess();
    await limits.set({ host: strict.host, perMinute: 6 });
    await ask({ ...newProcess(), client }, strict, ['first']);
    const stop = new AbortController();
    const waits = client.get(strict.site.url('/', strict.host), { signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 50);
    await expect(waits).rejects.toThrow('enough');
  });

  it('is closed for those who wait for their turn as soon as another process is refused', async () => {
    let status = 200;
    const site = await startSite((_, response) => response.writeHead(status, { 'retry-after': '60' }).end());
    const strict = { site, host: `closing-${site.port}.example` };
    const [one, other] = [newProcess(0), newProcess(1)];
    await one.store.set({ host: strict.host, perMinute: 20 });
    await ask(one, strict, ['first']);
    await put(strict.host, `next_at = now() + interval '300 milliseconds'`);
    status = 429;
    const visits = [one, other].map(({ client }) => client.get(strict.site.url('/', strict.host)));
    const ends = await settled(visits);
    const told = ends.map((end) => (end.status === 'rejected' ? end.reason.code : `${end.value.status}`));
    expect(told.toSorted()).toEqual(['429', 'HOST_BACKING_OFF']);
  });

  it('that is closed while somebody asks for a turn is not waited for', async () => {
    const strict = await startStrictSite({ most: 100, windowMs: 1_000, tell: untold });
    const { client, store: limits } = newProcess();
    await limits.set({ host: strict.host, perMinute: 60 });
    const holder = await store.database.pool.connect();
    await holder.query('BEGIN');
    await holder.query(`UPDATE host_limits SET next_at = now() + interval '40 seconds' WHERE host = $1`, [strict.host]);
    const end = settled([client.get(strict.site.url('/', strict.host))]);
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%host_limits%'`;
    await expect.poll(async () => (await store.database.pool.query(waiting)).rowCount).toBeGreaterThan(0);
    await store.database.pool.query(
      `INSERT INTO host_backoffs (host, until, reason) VALUES ($1, now() + interval '1 hour', 'it said so')`,
      [strict.host],
    );
    // A process's snapshot of the closed hosts is at most this old.
    await sleep(1_100);
    await holder.query('COMMIT');
    holder.release();
    expect(await end).toMatchObject([{ status: 'rejected', reason: { code: 'HOST_BACKING_OFF' } }]);
    expect(strict.taken).toEqual([]);
  });

  it('that the operator names below its domain is a host of its own, until it is named no more', async () => {
    const strict = await startStrictSite({ most: 100, windowMs: 1_000, tell: untold });
    const hostLimits = new Map([[`api.${strict.host}`, 1]]);
    const named = newProcess(0, { hostLimits });
    await named.limits.onApplicationBootstrap();
    for (const name of ['www', 'www', 'api']) await named.client.get(strict.site.url('/', `${name}.${strict.host}`));
    const second = named.client.get(strict.site.url('/', `v1.api.${strict.host}`), { timeouts: { line: 10 } });
    await expect(second).rejects.toMatchObject({ code: 'HOST_BUSY' });
    const host = `api.${strict.host}`;
    await newProcess(0, { roles: new Set(['api']) }).limits.onApplicationBootstrap();
    expect(await named.store.find(host)).toMatchObject({ perMinute: 1, origin: 'environment' });
    await newProcess().limits.onApplicationBootstrap();
    expect(await named.store.find(host)).toBeUndefined();
  });

  it('that was learned is forgotten after 30 days in which it was not seen', async () => {
    const { store: limits } = newProcess();
    for (const host of ['old.example', 'new.example']) await limits.learn({ ...refusal(host, 20), pauseMs: 0 });
    await limits.set({ host: 'decided.example', perMinute: 20 });
    await store.database.pool.query(
      `UPDATE host_limits SET seen_at = now() - interval '31 days' WHERE host IN ('old.example', 'decided.example')`,
    );
    await limits.forgetOld();
    const left = await Promise.all(['old', 'new', 'decided'].map((name) => limits.find(`${name}.example`)));
    expect(left.map((limit) => limit?.host)).toEqual([undefined, 'new.example', 'decided.example']);
  });
});

it('hosts without a limit cost no query', async () => {
  const site = await startSite((_, response) => response.end());
  const { client } = newProcess();
  await client.get(site.url('/', 'free.example'));
  let queries = 0;
  const countQuery = () => {
    queries += 1;
  };
  store.database.pool.on('acquire', countQuery);
  for (const _ of range(20)) await client.get(site.url('/', 'free.example'));
  store.database.pool.off('acquire', countQuery);
  // The closed hosts are read once a second.
  expect(queries).toBeLessThan(10);
});
