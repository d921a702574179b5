import { Inject, Injectable } from '@nestjs/common';
import type { Answer } from '../http/wire.js';
import type { Log } from '../log/log.js';
import { LOG } from '../log/log.js';
import { databaseTime } from '../time/database-time.js';
import { HostBackoffs } from './host-backoffs.js';
import { pauseAfterRefusal } from './learned-limit.js';
import { type Answered, HostLessons } from './learned-limits.js';
import { toldLimit } from './rate-limit-headers.js';
import { closesHostUntil } from './retry-after.js';

type Asked = Answered & { asAccount: boolean };

/** Heeds what a host's answers say about how often it wants to be asked. */
@Injectable()
export class HostAnswers {
  constructor(
    private readonly backoffs: HostBackoffs,
    private readonly lessons: HostLessons,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Who has an answer gets it, though what it says about the host could not be kept. */
  async heed(asked: Asked, answer: Answer): Promise<void> {
    try {
      await this.learn(asked, answer);
    } catch (error) {
      this.log.error({ host: asked.host, err: error }, 'what a host says about its limits could not be kept');
    }
  }

  private async learn(asked: Asked, { status, headers, retryAfter }: Answer): Promise<void> {
    const { host, asAccount } = asked;
    const now = databaseTime.now();
    const isRefusal = status === 429;
    if (!isRefusal) this.lessons.taken(asked);
    // What is said to an account is about that account.
    const told = asAccount ? {} : toldLimit(headers, now);
    const until = asAccount && isRefusal ? undefined : closesHostUntil(status, retryAfter ?? told.closedUntil, now);
    if (until) await this.backoffs.close({ host, until, reason: `${host} answered ${status}` });
    else if (told.closedUntil) await this.backoffs.close({ host, until: told.closedUntil, reason: NOTHING_LEFT });
    const opensAt = retryAfter ?? told.closedUntil;
    const { perMinute, windowMs = 0 } = told;
    const pauseMs = isRefusal ? pauseAfterRefusal(windowMs, opensAt, now) : 0;
    if (perMinute) await this.lessons.told(asked, { perMinute, pauseMs });
    if (isRefusal && !asAccount) await this.lessons.refused({ ...asked, retryAfter: opensAt });
  }
}

const NOTHING_LEFT = 'its answers say that it takes no more requests until then';
