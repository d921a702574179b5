import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { BentoCache, bentostore } from 'bentocache';
import { redisDriver } from 'bentocache/drivers/redis';
import { Redis } from 'ioredis';
import { CONFIG, type Config } from '../config.js';
import { LOG, type Log } from '../log/log.js';
import { Metrics } from '../metrics/metrics.js';
import { ProcessMemory } from './process-memory.js';

/** Limits of the in-process cache, in bytes. */
const MEMORY_LIMITS = { bytes: 64 * 1_048_576, entryBytes: 4 * 1_048_576 };
/** Timeout in milliseconds. A slower Redis takes longer than building the value. */
const TIMEOUT_MS = 200;
/** How long Redis is not used after a failure, in milliseconds. */
const REDIS_REST_MS = 2_000;
/** Changes with the shape of cached values, so that no version reads the values of another. */
const PREFIX = 'millrace:cache:1';

interface CacheRequest<T> {
  /** Returns whether a cached value may still be used. */
  isGood: (value: T) => boolean;
  build: () => Promise<T>;
}

interface Building {
  value: Promise<unknown>;
}

/**
 * Caches values that are expensive to build, in this process and in Redis if there is one. Validity is checked at each
 * read, so nothing needs to be invalidated. Redis is optional and never delays a read for long.
 */
@Injectable()
export class Cache implements OnApplicationShutdown {
  private readonly bento: BentoCache<{ main: ReturnType<typeof storeOn> }>;
  private readonly redis: Redis | undefined;
  private readonly building = new Map<string, Building>();
  private readonly keeping = new Set<Promise<unknown>>();
  private readonly reads;

  constructor(
    @Inject(CONFIG) { redisUrl, cacheTtlMs }: Pick<Config, 'redisUrl' | 'cacheTtlMs'>,
    @Inject(LOG) private readonly log: Log,
    metrics: Metrics,
  ) {
    this.reads = metrics.counter({
      name: 'cache_reads_total',
      help: 'Cached values that were asked for: kept, built, or built for somebody else at the same time.',
      labels: ['result'],
      known: { result: ['hit', 'miss', 'shared'] },
    });
    this.redis = redisUrl ? connect(redisUrl) : undefined;
    this.bento = new BentoCache({
      default: 'main',
      stores: { main: storeOn(this.redis) },
      prefix: PREFIX,
      ttl: cacheTtlMs,
      suppressL2Errors: true,
      l2CircuitBreakerDuration: REDIS_REST_MS,
    });
  }

  /** Concurrent reads of a key build its value once. All callers share it and must not change it. */
  async read<T>(key: string, wanted: CacheRequest<T>): Promise<T> {
    // A build that began earlier may be too old for this caller; one that begins from here on is not.
    const before = this.building.get(key);
    const kept = before ? ((await before.value) as T) : await this.kept<T>(key);
    if (kept !== undefined && wanted.isGood(kept)) {
      this.reads.inc({ result: before ? 'shared' : 'hit' });
      return kept;
    }
    const now = this.building.get(key);
    const others = now !== before ? now : undefined;
    this.reads.inc({ result: others ? 'shared' : 'miss' });
    const building = others ?? this.build(key, wanted);
    return (await building.value) as T;
  }

  async onApplicationShutdown() {
    await Promise.all(this.keeping);
    this.redis?.disconnect();
  }

  private build<T>(key: string, { build }: CacheRequest<T>): Building {
    const building: Building = { value: this.buildAndKeep(key, build) };
    const done = () => {
      if (this.building.get(key) === building) this.building.delete(key);
    };
    building.value.then(done, done);
    this.building.set(key, building);
    return building;
  }

  private async buildAndKeep<T>(key: string, build: () => Promise<T>): Promise<T> {
    const value = await build();
    // Writes to memory synchronously and to Redis in the background.
    const keeping = this.bento
      .set({ key, value })
      .catch((err) => this.log.warn({ event: 'cache_write_failed', err, key }, 'A value could not be cached'))
      .finally(() => this.keeping.delete(keeping));
    this.keeping.add(keeping);
    return value;
  }

  private kept<T>(key: string): Promise<T | undefined> {
    return this.bento.get<T | undefined>({ key });
  }
}

function storeOn(redis: Redis | undefined) {
  const memory = bentostore().useL1Layer({
    options: { serialize: false },
    factory: () => new ProcessMemory(MEMORY_LIMITS),
  });
  return redis ? memory.useL2Layer(redisDriver({ connection: redis })) : memory;
}

function connect(url: string): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    commandTimeout: TIMEOUT_MS,
    retryStrategy: (times) => Math.min(times * 100, 2_000),
  });
  redis.on('error', () => undefined);
  return redis;
}
