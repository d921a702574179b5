import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { CONFIG, type Config } from '../config.js';
import { LOG, type Log } from '../log/log.js';
import { Metrics } from '../metrics/metrics.js';

/** Limits of the in-process cache, in bytes of JSON. */
const MAX_BYTES = 64 * 1_048_576;
const MAX_ENTRY_BYTES = 4 * 1_048_576;
/** Timeout in milliseconds. A slower Redis takes longer than building the value. */
const REDIS_TIMEOUT_MS = 200;
const REDIS_REST_MS = 2_000;
/** Changes with the shape of cached values, so that no version reads the values of another. */
const PREFIX = 'millrace:cache:2:';

interface CacheRequest<T> {
  isGood: (value: T) => boolean;
  build: () => Promise<T>;
}

interface Building {
  value: Promise<unknown>;
}

interface CachedValue {
  value: unknown;
  /** In milliseconds of the database's clock, which processes share. */
  expiresAt: number;
}

/** Validity is checked at each read, so nothing needs to be invalidated. Redis never delays a read for long. */
@Injectable()
export class Cache implements OnApplicationShutdown {
  /** Holds values as they are, because parsing a page of posts costs more than reading it from the database. */
  private readonly memory = new LRUCache<string, CachedValue>({ maxSize: MAX_BYTES, maxEntrySize: MAX_ENTRY_BYTES });
  private readonly redis: Redis | undefined;
  private redisRestsUntil = 0;
  private readonly ttlMs: number;
  private readonly building = new Map<string, Building>();
  private readonly writing = new Set<Promise<unknown>>();
  private readonly reads;

  constructor(
    @Inject(CONFIG) { redisUrl, cacheTtlMs }: Pick<Config, 'redisUrl' | 'cacheTtlMs'>,
    @Inject(LOG) private readonly log: Log,
    metrics: Metrics,
  ) {
    this.ttlMs = cacheTtlMs;
    this.redis = redisUrl ? connect(redisUrl) : undefined;
    this.reads = metrics.counter({
      name: 'cache_reads_total',
      help: 'Cached values that were asked for: kept, built, or built for somebody else at the same time.',
      labels: ['result'],
      known: { result: ['hit', 'miss', 'shared'] },
    });
  }

  /** Concurrent reads of a key build its value once. All callers share it and must not change it. */
  async read<T>(key: string, wanted: CacheRequest<T>): Promise<T> {
    // A build that began earlier may be too old for this caller; one that begins from here on is not.
    const before = this.building.get(key);
    const cached = (await (before ? before.value : this.find(key))) as T | undefined;
    if (cached !== undefined && wanted.isGood(cached)) {
      this.reads.inc({ result: before ? 'shared' : 'hit' });
      return cached;
    }
    const now = this.building.get(key);
    const others = now !== before ? now : undefined;
    this.reads.inc({ result: others ? 'shared' : 'miss' });
    const building = others ?? this.build(key, wanted);
    return (await building.value) as T;
  }

  async onApplicationShutdown() {
    await Promise.all(this.writing);
    this.redis?.disconnect();
  }

  private build<T>(key: string, { build }: CacheRequest<T>): Building {
    const building: Building = { value: build().then((value) => this.store(key, value)) };
    const done = () => {
      if (this.building.get(key) === building) this.building.delete(key);
    };
    building.value.then(done, done);
    this.building.set(key, building);
    return building;
  }

  private async find(key: string): Promise<unknown> {
    const inMemory = this.memory.get(key);
    if (inMemory) return inMemory.value;
    return this.useRedis(async (redis) => {
      const text = await redis.get(PREFIX + key);
      if (text === null) return undefined;
      const cached: CachedValue = JSON.parse(text);
      this.remember(key, cached, text);
      return cached.value;
    });
  }

  private store<T>(key: string, value: T): T {
    const cached = { value, expiresAt: Date.now() + this.ttlMs };
    const text = JSON.stringify(cached);
    this.remember(key, cached, text);
    const writing = this.useRedis((redis) => redis.set(PREFIX + key, text, 'PX', this.ttlMs)).finally(() =>
      this.writing.delete(writing),
    );
    this.writing.add(writing);
    return value;
  }

  private remember(key: string, cached: CachedValue, text: string): void {
    const ttl = cached.expiresAt - Date.now();
    if (ttl > 0) this.memory.set(key, cached, { size: Buffer.byteLength(text), ttl });
    else this.memory.delete(key);
  }

  private async useRedis<T>(use: (redis: Redis) => Promise<T>): Promise<T | undefined> {
    if (!this.redis || performance.now() < this.redisRestsUntil) return undefined;
    try {
      return await use(this.redis);
    } catch (err) {
      this.redisRestsUntil = performance.now() + REDIS_REST_MS;
      this.log.debug({ event: 'cache_redis_failed', err }, 'Redis failed, caching in this process only');
      return undefined;
    }
  }
}

function connect(url: string): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    commandTimeout: REDIS_TIMEOUT_MS,
    retryStrategy: (times) => Math.min(times * 100, 2_000),
  });
  // Failed commands report a lost connection, and without a listener the event would end the process.
  redis.on('error', () => undefined);
  return redis;
}
