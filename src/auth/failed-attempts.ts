import { Injectable } from '@nestjs/common';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { tooMany } from '../platform/errors/too-many.js';
import { subscriberOf } from '../platform/http/ip-address.js';
import { hashOf } from './secret.js';
import { SeenLately } from './seen-lately.js';

const FAILURES_PER_MINUTE = 60;

const TRUSTED_FOR_MS = 3_600_000;
const MOST_TRUSTED = 100_000;

/**
 * Counts keys and sessions that are none by address, in this process alone: a flood of them must not cost queries.
 * Behind a proxy all may have one address, so a secret that was good lately is let through whatever others do there.
 */
@Injectable()
export class FailedAttempts {
  private readonly failures = new RateLimiterMemory({ points: FAILURES_PER_MINUTE, duration: 60 });
  private readonly goodLately = new SeenLately(TRUSTED_FOR_MS);

  async refuseFlood(address: string, secret: string): Promise<void> {
    if (this.goodLately.has(hashOf(secret), Date.now())) return;
    const counted = await this.failures.get(subscriberOf(address));
    if (!counted || counted.remainingPoints > 0) return;
    throw tooMany(`An address may try ${FAILURES_PER_MINUTE} unknown keys a minute.`, counted.msBeforeNext);
  }

  succeeded(secret: string): void {
    if (this.goodLately.size < MOST_TRUSTED) this.goodLately.add(hashOf(secret), Date.now());
  }

  async count(address: string, secret: string): Promise<void> {
    this.goodLately.forget(hashOf(secret));
    await this.failures.penalty(subscriberOf(address));
  }
}
