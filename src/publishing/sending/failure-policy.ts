import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import { Clock } from '../../platform/time/clock.js';
import { AccountsStore } from '../accounts/accounts.store.js';
import { CredentialVault } from '../accounts/credential-vault.js';
import { PublishFailure } from '../platform.js';
import { WAITS_FOR } from '../publications/why-it-waits.js';
import { DeadlineExceeded } from './freeze-detector.js';
import {
  type AfterFailure,
  afterFailure,
  expiryOf,
  firstReconciliationAt,
  openCallOf,
  settlesInMs,
} from './next-attempt.js';
import type { Attempt } from './platform-caller.js';
import { PublishAttempts } from './publish-attempts.js';

@Injectable()
export class FailurePolicy {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly attempts: PublishAttempts,
    private readonly accounts: AccountsStore,
    private readonly vault: CredentialVault,
    private readonly clock: Clock,
  ) {}

  /** Returns whether it ended the attempt. */
  async refuseUntimely(attempt: Attempt): Promise<boolean> {
    const { publication } = attempt;
    const now = this.clock.now();
    if (publication.scheduledAt > now) {
      // A scheduler of an earlier version with a fast clock may have handed the publication out too early.
      const waits = { until: publication.scheduledAt, reason: 'it is not due yet', waitingFor: null };
      await this.attempts.again(counted(attempt), 'postponed', { ...waits, countsAttempt: false });
      return true;
    }
    const expiry = expiryOf(publication, this.config.publishGraceMs, now);
    if (expiry) await this.attempts.expire(attempt, expiry);
    return expiry !== undefined;
  }

  /** If the platform shows traces of an earlier call, the publication is reconciled. */
  async beforeCall(attempt: Attempt, error: unknown): Promise<void> {
    const failure = failureOf(error);
    if (failure.code === 'UNCERTAIN') return this.attempts.suspect(attempt, failure.message);
    await this.decide(counted(attempt), failure);
  }

  /** `attempts` already counts the call. A call that broke off after it was sent arrives as UNCERTAIN. */
  async afterCall(attempt: Attempt, error: unknown): Promise<void> {
    if (!(error instanceof DeadlineExceeded)) return this.decide(attempt, failureOf(error));
    const reason = `before the call ${error.message}`;
    const waits = { until: this.clock.now(), reason, waitingFor: null, countsAttempt: false };
    await this.attempts.again(attempt, 'postponed', waits);
  }

  /** Handles a failed repeat. An earlier call may have succeeded, whatever the answer to this one says. */
  async afterRepeat(attempt: Attempt, error: unknown): Promise<void> {
    const { accountId } = attempt.publication;
    const failure =
      error instanceof DeadlineExceeded ? new PublishFailure('UNCERTAIN', error.message) : failureOf(error);
    const { code, message, until } = failure;
    const renewal = code === 'AUTH_ERROR' ? await this.renew(attempt) : 'refused';
    if (renewal instanceof PublishFailure) return this.reconcileLater(attempt, renewal);
    if (code === 'EXPIRED' || renewal === 'renewed') {
      return this.attempts.reconcileLater(attempt, { until: this.clock.now(), lastError: message });
    }
    if (code !== 'REFUSED' && code !== 'AUTH_ERROR') {
      await this.reconcileLater(attempt, failure);
      if (code === 'RATE_LIMITED' && until) await this.accounts.close(accountId, { until, reason: message });
      return;
    }
    await this.attempts.askPerson(attempt, `an earlier call was not answered; this one was refused: ${message}`);
    if (code === 'AUTH_ERROR') await this.accounts.breakDown(accountId, message);
  }

  private async decide(attempt: Attempt, failure: PublishFailure): Promise<void> {
    const { attempts, postponements } = attempt.publication;
    const step = afterFailure(failure, { attempts, postponements, now: this.clock.now(), rule: this.config });
    switch (step.kind) {
      case 'fail':
        return this.attempts.fail(attempt, failure.message);
      case 'expire':
        return this.attempts.expire(attempt, failure.message);
      case 'renew credentials':
        return this.afterRefusedCredentials(attempt, failure);
      case 'reconcile':
        return this.reconcileLater(attempt, failure);
      case 'try again':
        return this.again(attempt, failure, step);
    }
  }

  private async again(attempt: Attempt, failure: PublishFailure, step: Retry): Promise<void> {
    const { code, message: reason } = failure;
    const { at: until, countsAttempt, postponements } = step;
    const waits = { until, reason, countsAttempt, postponements, waitingFor: waitingFor(failure) };
    const isPostponed = code === 'RATE_LIMITED' || code === 'NOT_YET';
    const lastError = code === 'UNREACHABLE' && { lastError: reason };
    await this.attempts.again(attempt, isPostponed ? 'postponed' : 'try_failed', { ...waits, ...lastError });
    if (code === 'RATE_LIMITED') await this.accounts.close(attempt.publication.accountId, { until, reason });
  }

  private async reconcileLater(attempt: Attempt, { message: lastError, until: named }: PublishFailure): Promise<void> {
    const { publication, platform } = attempt;
    const call = openCallOf(publication, platform, { config: this.config, now: this.clock.now() });
    const canReconcile = platform.find !== undefined;
    const until = firstReconciliationAt(call, { settlesInMs: settlesInMs(platform), canReconcile, until: named });
    await this.attempts.reconcileLater(attempt, { until, lastError });
  }

  /** Renews expired tokens. The account is marked as broken only if the platform refuses to renew them. */
  private async afterRefusedCredentials(attempt: Attempt, failure: PublishFailure): Promise<void> {
    const { publication } = attempt;
    const renewal = await this.renew(attempt);
    if (renewal instanceof PublishFailure) return this.decide(attempt, renewal);
    if (renewal === 'renewed' && publication.attempts < this.config.publishAttempts) {
      const now = { kind: 'try again', at: this.clock.now(), countsAttempt: true, postponements: 0 } as const;
      return this.again(attempt, failure, now);
    }
    await this.attempts.fail(attempt, failure.message);
    if (renewal === 'refused') await this.accounts.breakDown(publication.accountId, failure.message);
  }

  /** Returns a failure if the credentials could neither be renewed nor found to be refused. */
  private async renew({ publication, platform }: Attempt): Promise<'renewed' | 'refused' | PublishFailure> {
    try {
      return (await this.vault.renew(publication.account, platform)) ? 'renewed' : 'refused';
    } catch (error) {
      return failureOf(error);
    }
  }
}

type Retry = Extract<AfterFailure, { kind: 'try again' }>;

const counted = (attempt: Attempt): Attempt => {
  const { publication } = attempt;
  return { ...attempt, publication: { ...publication, attempts: publication.attempts + 1 } };
};

function waitingFor({ code, message }: PublishFailure): string {
  if (code === 'RATE_LIMITED') return `${WAITS_FOR.platform} ${message}`;
  if (code === 'NOT_YET') return `${WAITS_FOR.host} ${message}`;
  return code === 'UNREACHABLE' ? `a host that does not answer: ${message}` : 'another try';
}

/** Errors that are not a PublishFailure are bugs of ours. They are thrown on, and the queue retries the job. */
function failureOf(error: unknown): PublishFailure {
  if (error instanceof PublishFailure) return error;
  throw error;
}
