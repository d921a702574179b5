import { Injectable } from '@nestjs/common';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { tooMany } from '../../platform/errors/api-error.js';
import { subscriberOf } from '../../platform/http/ip-address.js';
import { withTimeout } from '../../platform/time/with-timeout.js';
import { prefixOf } from '../keys/secret.js';

const FAILURES_PER_PREFIX = 60;
const FAILURES_PER_ADDRESS = 600;
/** An unresponsive database is reported after this time. */
const LOOKUP_TIMEOUT_MS = 2_000;

/** A valid secret is never refused, because people behind a proxy may share an address with somebody who guesses. */
@Injectable()
export class FailedAttempts {
  private readonly byPrefix = new RateLimiterMemory({ points: FAILURES_PER_PREFIX, duration: 60 });
  private readonly byAddress = new RateLimiterMemory({ points: FAILURES_PER_ADDRESS, duration: 60 });

  /** Returns undefined for a secret that is not known, which counts as a failure. */
  async lookUp<Found>(address: string, secret: string, find: () => Promise<Found | undefined>) {
    const found = await withTimeout(find(), LOOKUP_TIMEOUT_MS);
    if (!found) await this.count(address, secret);
    return found;
  }

  /** Call this for a secret that was not found. Answers 429 beyond the limits. */
  async count(address: string, secret: string): Promise<void> {
    const subscriber = subscriberOf(address);
    const counts = await Promise.all([
      this.byPrefix.penalty(`${subscriber} ${prefixOf(secret)}`),
      this.byAddress.penalty(subscriber),
    ]);
    const [prefix, all] = counts;
    if (prefix.consumedPoints <= FAILURES_PER_PREFIX && all.consumedPoints <= FAILURES_PER_ADDRESS) return;
    const msBeforeNext = Math.max(...counts.map((count) => count.msBeforeNext));
    throw tooMany('Too many unknown keys came from this address within a minute.', msBeforeNext);
  }
}
