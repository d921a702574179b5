import { Inject, Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Redis } from 'ioredis';
import type pg from 'pg';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { CONFIG, type Config } from '../../platform/config.js';
import { Database } from '../../platform/database/database.js';
import { createPool } from '../../platform/database/pool.js';
import { tooMany } from '../../platform/errors/api-error.js';
import { subscriberOf } from '../../platform/http/ip-address.js';
import { REDIS } from '../../platform/redis.js';
import type { User } from '../users/user.js';

const WINDOW_SECONDS = 60;
const FAILED_SIGN_INS_PER_MINUTE = 10;
/** Some reading apps send a request for each feed, so they may send this many times the requests of other programs. */
const APP_REQUESTS_FACTOR = 20;
const TIMEOUT_MS = 1000;

/** Requests are counted over all processes. */
@Injectable()
export class RequestLimits implements OnApplicationShutdown {
  private readonly requests: RateLimiterAbstract;
  private readonly signIns: RateLimiterAbstract;
  /** Counted by each process for itself, because a count in the database would cost as much as most of these requests. */
  private readonly appRequests: RateLimiterMemory;
  private readonly pool: pg.Pool | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    database: Database,
    @Optional() @Inject(REDIS) private readonly redis?: Redis,
  ) {
    if (!redis) this.pool = countingPool(database.url);
    this.requests = this.limiter('requests', config.requestsPerMinute);
    this.signIns = this.limiter('sign-ins', FAILED_SIGN_INS_PER_MINUTE);
    const points = config.requestsPerMinute * APP_REQUESTS_FACTOR;
    this.appRequests = new RateLimiterMemory({ keyPrefix: 'app-requests', points, duration: WINDOW_SECONDS });
  }

  async countAppRequest(caller: Payer): Promise<void> {
    const { allowed, msBeforeNext } = await take(this.appRequests, payer(caller));
    if (!allowed) throw tooMany(`An app may send ${this.appRequests.points} requests a minute.`, msBeforeNext);
  }

  async countRequest(caller: Payer, reply: FastifyReply): Promise<void> {
    const { allowed, remaining, msBeforeNext } = await take(this.requests, payer(caller));
    reply.headers({
      'RateLimit-Limit': this.config.requestsPerMinute,
      'RateLimit-Remaining': remaining,
      'RateLimit-Reset': Math.ceil(msBeforeNext / 1000),
    });
    if (!allowed) throw tooMany(`You may send ${this.config.requestsPerMinute} requests a minute.`, msBeforeNext);
  }

  async countFailedSignIn(address: string): Promise<void> {
    const { allowed, msBeforeNext } = await take(this.signIns, subscriberOf(address));
    if (!allowed) throw tooMany(`Too many sign-ins failed from this address within a minute.`, msBeforeNext);
  }

  async onApplicationShutdown() {
    await this.pool?.end();
  }

  /** Counts in memory while the store is unreachable, so that requests are still answered. */
  private limiter(keyPrefix: string, points: number): RateLimiterAbstract {
    const limit = { keyPrefix, points, duration: WINDOW_SECONDS };
    const shared = { ...limit, inMemoryBlockOnConsumed: points, insuranceLimiter: new RateLimiterMemory(limit) };
    if (this.redis) {
      const prefix = `millrace:${keyPrefix}`;
      return new RateLimiterRedis({
        ...shared,
        keyPrefix: prefix,
        storeClient: this.redis,
        rejectIfRedisNotReady: true,
      });
    }
    return new RateLimiterPostgres({
      ...shared,
      storeClient: this.pool,
      storeType: 'pool',
      tableName: 'request_counts',
      tableCreated: true,
    });
  }
}

type Payer = User | { id: string; scope: 'user' };

/** A user has one limit for all keys. An admin key acts for many users and has its own. */
function payer(caller: Payer): string {
  return caller.scope === 'admin' ? `key:${caller.keyId}` : `user:${caller.id}`;
}

/** Counts may be lost in a crash, so no request waits for the disk, nor for a server that does not answer. */
function countingPool(connectionString: string): pg.Pool {
  return createPool({
    connectionString,
    max: 2,
    application_name: 'millrace-limits',
    session: '-c synchronous_commit=off',
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
}

/** The library rejects with its result, which is not an Error, when nothing is left. */
async function take(limiter: RateLimiterAbstract, key: string) {
  try {
    return outcome(true, await limiter.consume(key));
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return outcome(false, refusal);
    throw refusal;
  }
}

function outcome(allowed: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes) {
  return { allowed, remaining: remainingPoints, msBeforeNext };
}
