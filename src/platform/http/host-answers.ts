import { Injectable } from '@nestjs/common';
import { HostBackoffs } from './host-backoffs.js';
import { type Answered, HostLessons } from './host-lessons.js';
import { toldLimit } from './rate-limit-headers.js';
import { closesHostUntil } from './retry-after.js';
import type { Answer } from './wire.js';

/** Heeds what a host's answers say about how often it wants to be asked. */
@Injectable()
export class HostAnswers {
  constructor(
    private readonly backoffs: HostBackoffs,
    private readonly lessons: HostLessons,
  ) {}

  async heed(asked: Answered & { asAccount: boolean }, { status, headers, retryAfter }: Answer): Promise<void> {
    const { host, asAccount } = asked;
    const now = new Date();
    const isRefusal = status === 429;
    if (!isRefusal) this.lessons.taken(asked);
    // What is said to an account is about that account.
    const told = asAccount ? {} : toldLimit(headers, now);
    const until = asAccount && isRefusal ? undefined : closesHostUntil(status, retryAfter ?? told.closedUntil, now);
    if (until) await this.backoffs.close({ host, until, reason: `${host} answered ${status}` });
    else if (told.closedUntil) await this.backoffs.close({ host, until: told.closedUntil, reason: NOTHING_LEFT });
    if (told.perMinute) await this.lessons.told(asked, { ...told, perMinute: told.perMinute, isRefusal });
    if (isRefusal && !asAccount) await this.lessons.refused({ ...asked, retryAfter: retryAfter ?? told.closedUntil });
  }
}

const NOTHING_LEFT = 'its answers say that it takes no more requests until then';
