import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { newDataFolder } from '../harness/data-folder.js';
import { FeedSite } from '../harness/feed-site.js';
import { ownPostgres } from '../harness/postgres.js';
import { type Answer, startNameServer } from '../http/fake-name-server.js';
import { ask, becomesReady } from '../program/api-client.js';
import { startMillrace } from '../program/millrace-process.js';

const postgres = ownPostgres();
const KEY = 'an-admin-key-for-this-test-only';
const DEAD = 2_000;
const GOOD = 100;
const LATE_GOOD = 20;
/** The interval that the follower of the good feeds asks for. */
const INTERVAL_MS = 60_000;
const MINUTE_MS = 60_000;
const WAIT_OPTIONS = { timeout: 10 * MINUTE_MS, interval: 500 };
/** Answers of the slow name server take longer than background work waits, and less than a lookup may take. */
const SLOW_MS = 2_000;

const KINDS = ['silent', 'servfail', 'missing', 'slow'] as const;

async function answerFor(name: string): Promise<Answer> {
  const kind = KINDS.find((one) => name.startsWith(`${one}-`));
  if (!kind) return ['127.0.0.1'];
  if (kind !== 'slow') return kind;
  await sleep(SLOW_MS);
  return 'missing';
}

interface Health {
  alerts: { code: string; severity: string; message: string }[];
}

class World {
  isDown = false;
  private constructor(
    readonly address: string,
    readonly site: FeedSite,
  ) {}

  static async start(): Promise<World> {
    const site = await FeedSite.start();
    const server = await startNameServer((name) => (world?.isDown ? 'silent' : answerFor(name)));
    const millrace = startMillrace({
      DATABASE_URL: postgres.url,
      MILLRACE_DATA_DIR: newDataFolder(),
      MILLRACE_ADMIN_KEY: KEY,
      MILLRACE_ALLOW_NETWORKS: '127.0.0.1',
      MILLRACE_DNS_SERVERS: server.server,
      MILLRACE_MIN_INTERVAL: '10s',
      MILLRACE_REQUESTS_PER_MINUTE: '100000',
      PORT: '0',
    });
    const world: World = new World(await millrace.address(), site);
    await becomesReady(world.address);
    return world;
  }

  async send<T>(path: string, user?: string, body?: object): Promise<T> {
    const response = await ask(`${this.address}${path}`, { key: KEY, ...(user && { user }), ...(body && { body }) });
    return (await response.json()) as T;
  }

  async follow(name: string): Promise<void> {
    this.site.publish(`/${name}`, { guid: name, title: name });
    const externalId = `http://${name}.example:${new URL(this.site.url('/')).port}/${name}`;
    await this.send('/api/v1/sources/follow', 'reader', { type: 'rss', externalId, maxDelayMinutes: 1 });
  }

  fetches(name: string): number[] {
    return this.site.requests(`/${name}`).map(({ at }) => at);
  }

  /** Milliseconds between two requests for the same feed, the second of which came within the time. */
  gaps(names: string[], from: number, to: number): number[] {
    return names
      .flatMap((name) => {
        const times = this.fetches(name);
        return times.slice(1).map((at, n) => ({ at, gap: at - (times[n] ?? at) }));
      })
      .filter(({ at }) => at >= from && at < to)
      .map(({ gap }) => gap);
  }

  async failing(): Promise<string[]> {
    type Sources = { items: { lastError: string }[] };
    const { items } = await this.send<Sources>('/api/v1/sources?state=failing', 'reader');
    return items.map(({ lastError }) => lastError);
  }

  async dnsAlert(): Promise<string | undefined> {
    const { alerts } = await this.send<Health>('/api/v1/health');
    return alerts.find(({ code }) => code === 'dns_slow')?.severity;
  }

  async readiness(): Promise<{ status: number; warns: boolean; missesDns: boolean }> {
    const response = await ask(`${this.address}/health/ready`);
    const body = (await response.json()) as { warnings?: { path: string }[]; errors?: { path: string }[] };
    const isDns = ({ path }: { path: string }) => path === 'dns';
    return {
      status: response.status,
      warns: body.warnings?.some(isDns) ?? false,
      missesDns: body.errors?.some(isDns) ?? false,
    };
  }
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

function summary(what: string, gaps: number[]) {
  const sorted = gaps.toSorted((a, b) => a - b);
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  process.stdout.write(
    `${what}: ${gaps.length} intervals, mean ${seconds(mean)}, p99 ${seconds(at(0.99))}, max ${seconds(at(1))}\n`,
  );
  return { mean, p99: at(0.99) };
}

it('keeps the schedule of 100 good feeds within 10 % beside an import of 2,000 dead names, and reports slow resolution', {
  timeout: 30 * MINUTE_MS,
}, async () => {
  const world = await World.start();
  const good = Array.from({ length: GOOD }, (_, n) => `good-${n}`);
  for (const name of good) await world.follow(name);
  await vi.waitFor(() => expect(good.every((name) => world.fetches(name).length > 1)).toBe(true), WAIT_OPTIONS);
  const calmFrom = Date.now();
  await sleep(2 * MINUTE_MS);
  const calm = summary('before', world.gaps(good, calmFrom, Date.now()));

  const deadFrom = Date.now();
  const feeds = Array.from({ length: DEAD }, (_, n) => `http://${KINDS[n % KINDS.length]}-${n}.example/feed`);
  const { id } = await world.send<{ id: string }>('/api/v1/imports/start', 'importer', { feeds, follow: true });
  await vi.waitFor(async () => {
    expect(await world.readiness()).toEqual({ status: 200, warns: true, missesDns: false });
    expect(await world.dnsAlert()).toBe('warning');
  }, WAIT_OPTIONS);
  process.stdout.write(`the alert came after ${seconds(Date.now() - deadFrom)}\n`);
  const late = Array.from({ length: LATE_GOOD }, (_, n) => `late-${n}`);
  const lateFrom = Date.now();
  for (const name of late) await world.follow(name);
  await vi.waitFor(() => expect(late.every((name) => world.fetches(name).length > 0)).toBe(true), WAIT_OPTIONS);
  const lastLate = Math.max(...late.map((name) => world.fetches(name)[0] ?? 0)) - lateFrom;
  process.stdout.write(`${LATE_GOOD} new names were followed and fetched within ${seconds(lastLate)}\n`);
  await vi.waitFor(async () => {
    const found = await world.send<{ status: string; feeds: { failed: number } }>(`/api/v1/imports/${id}`, 'importer');
    expect(found).toMatchObject({ status: 'failed', feeds: { failed: DEAD } });
  }, WAIT_OPTIONS);
  process.stdout.write(`the import ended after ${seconds(Date.now() - deadFrom)}\n`);
  await sleep(MINUTE_MS);
  const busy = summary('beside dead names', world.gaps(good, deadFrom, Date.now()));
  expect(busy.mean).toBeLessThanOrEqual(calm.mean * 1.1);
  expect(busy.p99).toBeLessThanOrEqual(INTERVAL_MS * 1.1);
  expect(await world.failing()).toEqual([]);

  world.isDown = true;
  const downFrom = Date.now();
  await vi.waitFor(async () => {
    expect(await world.readiness()).toEqual({ status: 503, warns: false, missesDns: true });
    expect(await world.dnsAlert()).toBe('critical');
  }, WAIT_OPTIONS);
  process.stdout.write(`the outage was reported after ${seconds(Date.now() - downFrom)}\n`);
  await sleep(MINUTE_MS);
  const outage = summary('during the outage', world.gaps(good, downFrom, Date.now()));
  expect(outage.p99).toBeLessThanOrEqual(INTERVAL_MS * 1.1);
  expect(await world.failing()).toEqual([]);

  world.isDown = false;
  const backFrom = Date.now();
  await vi.waitFor(async () => {
    expect(await world.readiness()).toMatchObject({ status: 200, missesDns: false });
    expect(await world.dnsAlert()).not.toBe('critical');
  }, WAIT_OPTIONS);
  process.stdout.write(`it was ready again after ${seconds(Date.now() - backFrom)}\n`);
});
