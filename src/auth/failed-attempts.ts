import { Injectable } from '@nestjs/common';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { subscriberOf } from '../platform/http/ip-address.js';
import { tooMany } from './request-limits.js';

const FAILURES_PER_MINUTE = 60;

/** Counts keys and sessions that are none by address, in this process alone: a flood of them must not cost queries. */
@Injectable()
export class FailedAttempts {
  private readonly failures = new RateLimiterMemory({ points: FAILURES_PER_MINUTE, duration: 60 });

  async refuseFlood(address: string): Promise<void> {
    const counted = await this.failures.get(subscriberOf(address));
    if (!counted || counted.remainingPoints > 0) return;
    throw tooMany(`An address may try ${FAILURES_PER_MINUTE} unknown keys a minute.`, counted.msBeforeNext);
  }

  async count(address: string): Promise<void> {
    await this.failures.penalty(subscriberOf(address));
  }
}
