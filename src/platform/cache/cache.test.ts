import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ownRedis } from '../../../test/harness/redis.js';
import { Metrics } from '../metrics/metrics.js';
import { Cache } from './cache.js';

const redis = ownRedis();
const silent = pino({ level: 'silent' });
const always = () => true;
const never = () => false;

function newCache({ shared = false, cacheTtlMs = 60_000 } = {}): Cache {
  const cache = new Cache({ redisUrl: shared ? redis.url : undefined, cacheTtlMs }, silent, new Metrics(silent));
  onTestFinished(() => cache.onApplicationShutdown());
  return cache;
}

/** Builds the next number at each call. */
function counting() {
  let built = 0;
  return async () => ++built;
}

describe('a cache', () => {
  it('builds a value once and gives it out while it is good', async () => {
    const cache = newCache();
    const build = counting();
    expect(await cache.read('a', { isGood: always, build })).toBe(1);
    expect(await cache.read('a', { isGood: always, build })).toBe(1);
    expect(await cache.read('a', { isGood: never, build })).toBe(2);
    expect(await cache.read('b', { isGood: always, build })).toBe(3);
  });

  it('builds once for all who ask at the same time, also when what it keeps is no longer good', async () => {
    const cache = newCache();
    const build = counting();
    const askAll = () => Promise.all(Array.from({ length: 50 }, () => cache.read('a', { isGood: never, build })));
    expect(new Set(await askAll())).toEqual(new Set([1]));
    expect(new Set(await askAll())).toEqual(new Set([2]));
  });

  it('does not give somebody a value whose building began before they asked and that is no longer good', async () => {
    const cache = newCache();
    const built: ((value: string) => void)[] = [];
    const build = () => new Promise<string>((resolve) => built.push(resolve));
    const isGood = (value: string) => value === 'new';
    const first = cache.read('a', { isGood, build });
    await vi.waitFor(() => expect(built).toHaveLength(1));
    const second = cache.read('a', { isGood, build });
    built[0]?.('old');
    await vi.waitFor(() => expect(built).toHaveLength(2));
    built[1]?.('new');
    expect(await Promise.all([first, second])).toEqual(['old', 'new']);
  });

  it('tells a failure to those who wait for it, and tries again for the next', async () => {
    const cache = newCache();
    const failing = cache.read('a', { isGood: always, build: () => Promise.reject(new Error('no database')) });
    await expect(failing).rejects.toThrow('no database');
    expect(await cache.read('a', { isGood: always, build: async () => 'here again' })).toBe('here again');
  });

  it('keeps nothing longer than its time', async () => {
    const cache = newCache({ cacheTtlMs: 1 });
    const build = counting();
    await cache.read('a', { isGood: always, build });
    await vi.waitFor(async () => expect(await cache.read('a', { isGood: always, build })).toBeGreaterThan(1));
  });
});

const MB = 1_048_576;

describe('the memory of a cache', () => {
  /** Builds a value of so many bytes of JSON, whatever is stored. */
  const fill = (cache: Cache, key: string, bytes: number) =>
    cache.read(key, { isGood: never, build: async () => 'x'.repeat(bytes) });

  /** Returns the keys whose values are still stored, in the order in which they were used. */
  async function stored(cache: Cache, keys: string[]) {
    const found: string[] = [];
    for (const key of keys)
      if ((await cache.read(key, { isGood: always, build: async () => '' })) !== '') found.push(key);
    return found;
  }

  it('holds 64 MB, and evicts first what was not used longest', async () => {
    const cache = newCache();
    const keys = Array.from({ length: 16 }, (_, number) => `key ${number}`);
    for (const key of keys) await fill(cache, key, 3.9 * MB);
    await stored(cache, ['key 0']);
    await fill(cache, 'another', 3.9 * MB);
    expect(await stored(cache, ['key 0', 'key 1', 'key 15', 'another'])).toEqual(['key 0', 'key 15', 'another']);
  });

  it('counts a value that is replaced once', async () => {
    const cache = newCache();
    await fill(cache, 'first', MB);
    for (let time = 0; time < 20; time++) await fill(cache, 'replaced', 3.9 * MB);
    expect(await stored(cache, ['first', 'replaced'])).toEqual(['first', 'replaced']);
  });

  it('does not hold a value over 4 MB, nor the one that it should have replaced', async () => {
    const cache = newCache();
    await fill(cache, 'a', 100);
    await fill(cache, 'a', 4 * MB);
    expect(await stored(cache, ['a'])).toEqual([]);
  });

  it('gives back the very value that was built', async () => {
    const cache = newCache();
    const value = { text: 'built once' };
    await cache.read('a', { isGood: always, build: async () => value });
    expect(await cache.read('a', { isGood: always, build: async () => ({ text: 'built again' }) })).toBe(value);
  });
});

describe('a cache with Redis', () => {
  afterEach(() => redis.restart());

  /** Waits until a cached value arrives in Redis. */
  const usesRedis = (cache: Cache) =>
    vi.waitFor(
      async () => {
        await cache.read('probe', { isGood: never, build: async () => 'kept' });
        expect(await keysInRedis()).toContain('probe');
      },
      { timeout: 15_000, interval: 100 },
    );

  it('shares values with other processes', async () => {
    const [one, other] = [newCache({ shared: true }), newCache({ shared: true })];
    await usesRedis(one);
    await usesRedis(other);
    await one.read('shared', { isGood: always, build: async () => ['built by one'] });
    await vi.waitFor(async () => expect(await keysInRedis()).toContain('shared'));
    for (let time = 0; time < 3; time++) {
      const value = await other.read('shared', { isGood: always, build: async () => ['built by the other'] });
      expect(value).toEqual(['built by one']);
    }
  });

  it('answers while Redis is away, and uses it when it is back', async () => {
    const cache = newCache({ shared: true });
    await usesRedis(cache);
    await redis.kill();
    const build = counting();
    for (let key = 0; key < 20; key++) await cache.read(`away ${key}`, { isGood: always, build });
    expect(await cache.read('away 0', { isGood: always, build })).toBe(1);
    await redis.restart();
    await redis.flush();
    await usesRedis(cache);
  });

  it('answers while Redis is frozen', async () => {
    const cache = newCache({ shared: true });
    await usesRedis(cache);
    const admin = new Redis(redis.url);
    await admin.client('PAUSE', 600_000, 'ALL');
    const build = counting();
    for (let key = 0; key < 20; key++) await cache.read(`frozen ${key}`, { isGood: always, build });
    admin.disconnect();
  });

  async function keysInRedis(): Promise<string> {
    const client = new Redis(redis.url);
    const keys = await client.keys('*');
    client.disconnect();
    return keys.join();
  }
});
