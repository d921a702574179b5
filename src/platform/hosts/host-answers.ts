import { Inject, Injectable } from '@nestjs/common';
import type { Answer } from '../http/wire.js';
import { LOG, type Log } from '../log/log.js';
import { databaseTime } from '../time/database-time.js';
import { HostBackoffs } from './host-backoffs.js';
import { pauseAfterRefusal } from './learned-limit.js';
import { type AnsweredRequest, LearnedLimits } from './learned-limits.js';
import { announcedLimit } from './rate-limit-headers.js';
import { closesHostUntil } from './retry-after.js';

type SentRequest = AnsweredRequest & { asAccount: boolean };

@Injectable()
export class HostAnswers {
  constructor(
    private readonly backoffs: HostBackoffs,
    private readonly learned: LearnedLimits,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** A caller that has a response gets it even if the rate limit in it could not be stored. */
  async applyRateLimit(request: SentRequest, answer: Answer): Promise<void> {
    try {
      await this.learn(request, answer);
    } catch (error) {
      this.log.error(
        { event: 'rate_limit_not_stored', host: request.host, err: error },
        'The rate limit of a host could not be stored',
      );
    }
  }

  private async learn(request: SentRequest, { status, headers, retryAfter }: Answer): Promise<void> {
    const { host, asAccount } = request;
    const now = databaseTime.now();
    const isRefusal = status === 429;
    if (!isRefusal) this.learned.recordAccepted(request);
    // A limit announced to an account concerns that account only.
    const announced = asAccount ? {} : announcedLimit(headers, now);
    const until =
      asAccount && isRefusal ? undefined : closesHostUntil(status, retryAfter ?? announced.closedUntil, now);
    if (until) await this.backoffs.close({ host, until, reason: `${host} answered ${status}` });
    else if (announced.closedUntil)
      await this.backoffs.close({ host, until: announced.closedUntil, reason: NOTHING_LEFT });
    const opensAt = retryAfter ?? announced.closedUntil;
    const { perMinute, windowMs = 0 } = announced;
    const pauseMs = isRefusal ? pauseAfterRefusal(windowMs, opensAt, now) : 0;
    if (perMinute) await this.learned.applyHeader(request, { perMinute, pauseMs });
    if (isRefusal && !asAccount) await this.learned.applyRefusal({ ...request, retryAfter: opensAt });
  }
}

const NOTHING_LEFT = 'its answers say that it takes no more requests until then';
