import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import type { Db } from '../platform/database/database.js';
import type { JobRun } from '../platform/queue/job-handler.js';
import { AccountsStore } from './accounts.store.js';
import { type Attempted, AttemptsStore } from './attempts.store.js';
import { buryPublication } from './bury-publication.js';
import { nextAttemptAt, nextLookAt, openAgainAt } from './next-attempt.js';
import { OpenAccounts } from './open-accounts.js';
import { PublishFailure } from './platform.js';
import { findPlatform } from './platforms.js';
import { PublishMetrics } from './publish-metrics.js';
import { settlesInMs } from './settles-in.js';
import { TimeIsOver } from './wakefulness.js';

/** Decides what a failure means for a publication, and records it. */
@Injectable()
export class Verdicts {
  constructor(
    private readonly attempts: AttemptsStore,
    private readonly accounts: AccountsStore,
    private readonly openAccounts: OpenAccounts,
    private readonly clock: Clock,
    private readonly metrics: PublishMetrics,
  ) {}

  /**
   * Nothing was asked for that anybody could see: the try counts all the same, unless it is to wait. A platform that
   * finds traces of an earlier call is looked at.
   */
  async notShown(publication: Attempted, error: unknown, run: JobRun): Promise<void> {
    const failure = failureOf(error);
    if (failure.code === 'UNCERTAIN')
      return run.commit((db) => this.attempts.suspected(db, publication, failure.message));
    await this.record({ ...publication, attempts: publication.attempts + 1 }, failure, run);
  }

  /** After the one call: `attempts` has counted it. What breaks off a call that was sent comes as UNCERTAIN. */
  async afterCall(publication: Attempted, error: unknown, run: JobRun): Promise<void> {
    if (error instanceof TimeIsOver) {
      const until = this.clock.now();
      const waits = { until, reason: `before the call ${error.message}`, waitingFor: null, uncounted: true };
      return run.commit((db) => this.attempts.again(db, publication, waits));
    }
    await this.record(publication, failureOf(error), run);
  }

  /** An earlier call may have come through whatever this one says. */
  async afterRepeat(publication: Attempted, error: unknown, run: JobRun): Promise<void> {
    const failure = error instanceof TimeIsOver ? new PublishFailure('UNCERTAIN', error.message) : failureOf(error);
    const isFinal = failure.code === 'REFUSED' || failure.code === 'AUTH_ERROR';
    if (!isFinal) return this.lookLater(publication, failure, run);
    const reason = `an earlier call was not answered; this one was refused: ${failure.message}`;
    await run.commit((db) => this.attempts.unknown(db, publication, reason));
    this.metrics.ended(publication, 'unknown');
  }

  private async record(publication: Attempted, failure: PublishFailure, run: JobRun): Promise<void> {
    const now = this.clock.now();
    switch (failure.code) {
      case 'UNCERTAIN':
        return this.lookLater(publication, failure, run);
      case 'RATE_LIMITED': {
        const until = openAgainAt(failure.until, now);
        const reason = failure.message;
        const waits = { until, reason, waitingFor: `the platform, which said: ${reason}`, uncounted: true };
        await run.commit((db) => this.attempts.again(db, publication, waits));
        return this.accounts.close(publication.accountId, { until, reason });
      }
      case 'NOT_YET': {
        const { until = openAgainAt(undefined, now), message: reason } = failure;
        const waits = { until, reason, waitingFor: `its turn at a host: ${reason}`, uncounted: true };
        return run.commit((db) => this.attempts.again(db, publication, waits));
      }
      case 'UNAVAILABLE':
        return this.again(
          publication,
          { until: failure.until ?? nextAttemptAt(publication.attempts, now), failure },
          run,
        );
      case 'AUTH_ERROR':
        return this.afterRefusedCredentials(publication, failure, run);
      case 'REFUSED':
        return this.giveUp(publication, failure.message, run);
    }
  }

  private async lookLater(publication: Attempted, { message }: PublishFailure, run: JobRun): Promise<void> {
    const now = this.clock.now();
    const settledAt = new Date(now.getTime() + settlesInMs(findPlatform(publication.platform)));
    const next = nextLookAt(publication.intendedAt ?? now, now) ?? now;
    const until = next > settledAt ? next : settledAt;
    await run.commit((db) => this.attempts.lookLater(db, publication, { until, lastError: message }));
  }

  private async again(
    publication: Attempted,
    { until, failure }: { until: Date | undefined; failure: PublishFailure },
    run: JobRun,
  ): Promise<void> {
    const isLast = nextAttemptAt(publication.attempts, this.clock.now()) === undefined;
    if (isLast || !until) return this.giveUp(publication, failure.message, run);
    const waits = { until, reason: failure.message, waitingFor: 'another try', uncounted: false };
    await run.commit((db) => this.attempts.again(db, publication, waits));
  }

  /** Tokens run out; only if no new one can be had the account is broken. */
  private async afterRefusedCredentials(publication: Attempted, failure: PublishFailure, run: JobRun): Promise<void> {
    const platform = findPlatform(publication.platform);
    const renewed = platform && (await this.openAccounts.renew(publication.account, platform));
    if (renewed) return this.again(publication, { until: this.clock.now(), failure }, run);
    await this.giveUp(publication, failure.message, run);
    await this.accounts.breakDown(publication.accountId, failure.message);
  }

  /** It has failed for good. */
  async giveUp(publication: Attempted, reason: string, run: JobRun): Promise<void> {
    await run.commit((db) => this.fail(db, publication, reason));
    this.metrics.ended(publication, 'failed');
  }

  private async fail(db: Db, publication: Attempted, reason: string): Promise<void> {
    await this.attempts.failed(db, publication, reason);
    await buryPublication(db, publication, { reason, at: this.clock.now() });
  }
}

/** Mistakes of ours stay what they are, and are the queue's to try again. */
export function failureOf(error: unknown): PublishFailure {
  if (error instanceof PublishFailure) return error;
  throw error;
}
