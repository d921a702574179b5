import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { outgoingClient } from '../../../test/harness/outgoing.js';
import { startSite } from '../../../test/harness/site.js';
import { Clock } from '../time/clock.js';

const store = testDatabase();
const backingOff = { code: 'HOST_BACKING_OFF', until: expect.any(Date) };

/** Answers `/well` with 200, and any other path with the given status. */
const startSickSite = (status: number, headers: Record<string, string> = {}) =>
  startSite((request, response) => {
    response.writeHead(request.url === '/well' ? 200 : status, request.url === '/well' ? {} : headers).end();
  });

class LaterClock extends Clock {
  lateByMs = 0;
  override now() {
    return new Date(Date.now() + this.lateByMs);
  }
}

describe('one host', () => {
  it('never sees more than two requests at once, whatever name of its domain is asked', async () => {
    let running = 0;
    let most = 0;
    const site = await startSite(async (_, response) => {
      running += 1;
      most = Math.max(most, running);
      await sleep(20);
      running -= 1;
      response.end();
    });
    const client = outgoingClient(store.database);
    const hosts = ['busy.example', 'www.busy.example', 'feeds.busy.example.'];
    await Promise.all(Array.from({ length: 12 }, (_, index) => client.get(site.url(`/${index}`, hosts[index % 3]))));
    expect(most).toBe(2);
  });

  it('does not make another wait', async () => {
    const site = await startSite((request, response) => {
      if (request.headers.host?.startsWith('quick')) response.end('quick');
    });
    const client = outgoingClient(store.database, { hostConcurrency: 1 });
    const stop = new AbortController();
    const stuck = client.get(site.url('/', 'stuck.example'), { signal: stop.signal });
    expect((await client.get(site.url('/', 'quick.example'))).text()).toBe('quick');
    stop.abort(new Error('enough'));
    await expect(stuck).rejects.toThrow('enough');
  });

  it('is busy, not slow, for those who stand in line too long: nothing was sent', async () => {
    let asked = 0;
    const stop = new AbortController();
    const site = await startSite(() => {
      asked += 1;
    });
    const client = outgoingClient(store.database, { hostConcurrency: 1 });
    const stuck = client.get(site.url('/', 'jam.example'), { signal: stop.signal });
    await vi.waitFor(() => expect(asked).toBe(1));
    const second = client.get(site.url('/', 'jam.example'), { timeouts: { line: 100 } });
    await expect(second).rejects.toMatchObject({ code: 'HOST_BUSY' });
    stop.abort(new Error('enough'));
    await expect(stuck).rejects.toThrow('enough');
    expect(asked).toBe(1);
  });
});

describe('a host that says stop', () => {
  it.each([
    [429, '3600'],
    [503, '3600'],
    [429, new Date(Date.now() + 3_600_000).toUTCString()],
  ])('with %i and Retry-After: %s is left alone until then, on all its paths', async (status, retryAfter) => {
    const site = await startSickSite(status, { 'retry-after': retryAfter });
    const client = outgoingClient(store.database);
    const host = `www.stop-${site.port}.example`;
    const { retryAfter: until } = await client.get(site.url('/', host));
    expect(Math.abs(Number(until) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    const other = client.get(site.url('/well', `stop-${site.port}.example`));
    await expect(other).rejects.toMatchObject(backingOff);
    await expect(other).rejects.toThrow(`stop-${site.port}.example answered ${status}`);
    expect(site.connections).toBe(1);
  });

  it('is left alone by every process on the same database', async () => {
    const site = await startSickSite(429, { 'retry-after': '3600' });
    const url = site.url('/', 'shared.example');
    const [one, other] = [outgoingClient(store.database), outgoingClient(store.database)];
    await other.get(site.url('/well', 'shared.example'));
    const { retryAfter } = await one.get(url);
    await sleep(1100); // the other process reads at most once a second
    await expect(other.get(url)).rejects.toMatchObject({ code: 'HOST_BACKING_OFF', until: retryAfter });
  });

  it('is not asked by those who already stood in line', async () => {
    const site = await startSickSite(429, { 'retry-after': '3600' });
    const client = outgoingClient(store.database, { hostConcurrency: 1 });
    const [first, ...others] = ['/1', '/2', '/3'].map((path) => client.get(site.url(path, 'line.example')));
    expect((await first)?.status).toBe(429);
    for (const other of others) await expect(other).rejects.toMatchObject(backingOff);
  });

  it('is asked again when the time has come', async () => {
    const clock = new LaterClock();
    const client = outgoingClient(store.database, { clock });
    const site = await startSickSite(429, { 'retry-after': '3600' });
    await client.get(site.url('/', 'later.example'));
    await expect(client.get(site.url('/well', 'later.example'))).rejects.toMatchObject(backingOff);
    clock.lateByMs = 3_601_000;
    expect((await client.get(site.url('/well', 'later.example'))).status).toBe(200);
  });

  it('is not asked by more at once than may be, though accounts ask that stand in line', async () => {
    let [open, most] = [0, 0];
    const site = await startSite(async (_, response) => {
      most = Math.max(most, ++open);
      await sleep(20);
      open--;
      response.end();
    });
    const client = outgoingClient(store.database, { hostConcurrency: 2 });
    const ask = () => client.get(site.url(), { asAccount: true, standsInLine: true });
    await Promise.all(Array.from({ length: 10 }, ask));
    expect(most).toBe(2);
  });

  it('is not one that has enough of one account', async () => {
    const site = await startSickSite(429, { 'retry-after': '3600' });
    const client = outgoingClient(store.database);
    const refused = await client.get(site.url('/', 'accounts.example'), { asAccount: true });
    expect(refused.retryAfter).toBeInstanceOf(Date);
    expect((await client.get(site.url('/well', 'accounts.example'))).status).toBe(200);
  });

  it('without a time is left alone for a minute', async () => {
    const site = await startSickSite(429);
    const client = outgoingClient(store.database);
    expect((await client.get(site.url('/', 'untold.example'))).retryAfter).toBeUndefined();
    const error = await client.get(site.url('/', 'untold.example')).catch((error) => error);
    expect(error).toMatchObject(backingOff);
    expect(error.until.getTime() - Date.now()).toBeLessThanOrEqual(60_000);
  });

  it.each(['0', '3'])('with Retry-After: %s gets no requests for ten seconds', async (retryAfter) => {
    const clock = new LaterClock();
    const site = await startSickSite(429, { 'retry-after': retryAfter });
    const client = outgoingClient(store.database, { clock });
    const host = `short-${site.port}.example`;
    await client.get(site.url('/', host));
    clock.lateByMs = 5_000;
    await expect(client.get(site.url('/well', host))).rejects.toMatchObject(backingOff);
    clock.lateByMs = 11_000;
    expect((await client.get(site.url('/well', host))).status).toBe(200);
  });

  it.each([
    ['503 without Retry-After', 503, {}],
    ['500 with Retry-After', 500, { 'retry-after': '3600' }],
    ['404', 404, {}],
  ])('is not one that answers %s', async (_, status, headers) => {
    const site = await startSickSite(status, headers);
    const client = outgoingClient(store.database);
    const host = `sick-${site.port}.example`;
    expect((await client.get(site.url('/', host))).status).toBe(status);
    expect((await client.get(site.url('/well', host))).status).toBe(200);
  });

  it('is not one where a single path takes too long', async () => {
    const site = await startSite((request, response) => {
      if (request.url === '/well') response.end();
    });
    const client = outgoingClient(store.database);
    const slow = client.get(site.url('/', 'path.example'), { timeouts: { headers: 100 } });
    await expect(slow).rejects.toMatchObject({ code: 'TIMEOUT' });
    expect((await client.get(site.url('/well', 'path.example'))).status).toBe(200);
  });

  it('at the end of a redirect is closed itself, not the one that led there', async () => {
    const site = await startSite((request, response) => {
      if (request.headers.host?.startsWith('to.')) response.writeHead(429, { 'retry-after': '60' }).end();
      else if (request.url === '/well') response.end();
      else response.writeHead(302, { location: site.url('/', 'to.end.example') }).end();
    });
    const client = outgoingClient(store.database);
    expect((await client.get(site.url('/', 'start.example'))).status).toBe(429);
    expect((await client.get(site.url('/well', 'start.example'))).status).toBe(200);
    await expect(client.get(site.url('/well', 'end.example'))).rejects.toMatchObject(backingOff);
  });
});
