import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, inject } from 'vitest';
import { findFreePort } from '../../src/platform/database/embedded/free-port.js';
import { withDatabase } from './administration.js';
import { takeLease } from './leases.js';
import type { PrivateServer } from './servers/private-server.js';
import { redisServer } from './servers/redis-server.js';
import { isReady } from './servers/server-choice.js';

/** A logical database for this test file, emptied at the end of the file. Channels are shared by the whole server. */
export function redisUrl(): string {
  const { url: server, databases } = inject('redis');
  const numbers = Array.from({ length: databases }, (_, number) => `${number}`);
  const lease = takeLease(join(inject('runFolder'), 'redis-databases'), numbers);
  const url = withDatabase(server, lease.name);

  afterAll(async () => {
    await withRedis(url, (redis) => redis.flushdb());
    lease.release();
  });
  return url;
}

export interface OwnRedis {
  readonly url: string;
  /** Sends SIGKILL. Written data survives it. */
  kill(): Promise<void>;
  /** Kills the server if it runs, and starts it on the same port. */
  restart(): Promise<void>;
  /** Sends SIGSTOP. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  flush(): Promise<void>;
}

/** Starts a Redis server for this test file, which may empty, kill and restart it. */
export function ownRedis(): OwnRedis {
  const way = inject('redis').ownWay;
  let port: number | undefined;
  let server: PrivateServer | undefined;

  if (!isReady(way)) {
    beforeEach((context) => context.skip('needs a Redis server that it may kill'));
  } else {
    beforeAll(async () => {
      port = await findFreePort();
      server = redisServer({ way, port, folder: mkdtempSync(join(inject('runFolder'), 'own-redis-')) });
      await server.start();
    });
    afterAll(() => server?.kill());
  }

  const started = () => {
    if (!server) throw new Error('ownRedis() is ready only inside tests and hooks');
    return server;
  };
  return {
    get url() {
      started();
      return `redis://127.0.0.1:${port}`;
    },
    kill: () => started().kill(),
    freeze: () => started().freeze(),
    thaw: () => started().thaw(),
    async restart() {
      await started().kill();
      await started().start();
    },
    async flush() {
      await withRedis(this.url, (redis) => redis.flushall());
    },
  };
}

async function withRedis(url: string, act: (redis: Redis) => Promise<unknown>): Promise<void> {
  const redis = new Redis(url);
  try {
    await act(redis);
  } finally {
    redis.disconnect();
  }
}
