import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { BentoCache, bentostore } from 'bentocache';
import { redisDriver } from 'bentocache/drivers/redis';
import { Redis } from 'ioredis';
import type { Config } from '../config.js';
import { CONFIG } from '../config.js';
import type { Log } from '../log/log.js';
import { LOG } from '../log/log.js';
import { Metrics } from '../metrics/metrics.js';
import { ProcessMemory } from './process-memory.js';

/** Of the process's own part. */
const MEMORY_LIMITS = { bytes: 64 * 1_048_576, entryBytes: 4 * 1_048_576 };
/** A Redis that takes longer than this is slower than building the value. */
const TIMEOUT_MS = 200;
/** For so long Redis is not asked again after it failed. */
const REDIS_REST_MS = 2_000;
/** Changes when the shape of a cached value does, so that no version reads what another wrote. */
const PREFIX = 'millrace:cache:1';

interface Wanted<T> {
  /** Whether a kept value may still be given out. */
  isGood: (value: T) => boolean;
  build: () => Promise<T>;
}

interface Building {
  value: Promise<unknown>;
}

/**
 * Values that are dear to build, kept in this process and, where there is one, in Redis. Whether a value is good is asked
 * each time it is read, so nothing needs to be told to forget it. Redis helps where it can and is never waited for long.
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

  /** However many ask for a key at the same time, it is built once for all of them, who share it and may not change it. */
  async read<T>(key: string, wanted: Wanted<T>): Promise<T> {
    // What was begun before may be too old for whoever asks now; what is begun from here on is not.
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

  private build<T>(key: string, { build }: Wanted<T>): Building {
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
    // Written here at once and to Redis by the by.
    const keeping = this.bento
      .set({ key, value })
      .catch((err) => this.log.warn({ err, key }, 'a value could not be cached'))
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
