import { Redis } from 'ioredis';
import type { Config } from './config.js';
import type { Log } from './log/log.js';
import { ServerConnection } from './log/server-connection.js';

export const REDIS = Symbol('redis');

/** Timeouts in milliseconds. Requests wait for Redis, and a server that falls silent does not close the connection. */
const WAIT_OPTIONS = { commandTimeout: 500, socketTimeout: 2_000 };

export function connectRedis({ redisUrl }: Config, log: Log): Redis | undefined {
  if (!redisUrl) return undefined;
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: 1, enableOfflineQueue: false, ...WAIT_OPTIONS });
  const server = new ServerConnection('Redis', log);
  redis.on('error', (error) => server.lost(error));
  redis.on('ready', () => server.restored());
  redis.on('end', () => server.close());
  return redis;
}
