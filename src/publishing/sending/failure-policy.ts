import { Inject, Injectable } from '@nestjs/common';
import { and, desc, eq } from 'drizzle-orm';
import { CONFIG, type Config } from '../../platform/config.js';
import type { Db } from '../../platform/database/database.js';
import { recordDeadLetter } from '../../platform/jobs/dead-letters/record-dead-letter.js';
import type { JobRun } from '../../platform/jobs/job-handler.js';
import { Clock } from '../../platform/time/clock.js';
import { AccountsStore } from '../accounts/accounts.store.js';
import { CredentialVault } from '../accounts/credential-vault.js';
import { PublishFailure } from '../platform.js';
import { findPlatform } from '../platforms.js';
import { type Publication, publicationChanges } from '../publications/publications.table.js';
import { WAITS_FOR } from '../publications/why-it-waits.js';
import { AttemptsStore, type PublicationWithAccount } from './attempts.store.js';
import { DeadlineExceeded } from './freeze-detector.js';
import { type AfterFailure, afterFailure, firstReconciliationAt, MAX_ATTEMPTS } from './next-attempt.js';
import { openCallOf, settlesInMs } from './open-call.js';
import { publishJobs, reportPost } from './publish-jobs.js';
import { PublishMetrics } from './publish-metrics.js';

/** Records the consequences of a failed attempt, as `afterFailure` decides them. */
@Injectable()
export class FailurePolicy {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly attempts: AttemptsStore,
    private readonly accounts: AccountsStore,
    private readonly vault: CredentialVault,
    private readonly clock: Clock,
    private readonly metrics: PublishMetrics,
  ) {}

  /**
   * Handles a failure before the call that publishes. If the platform shows traces of an earlier call, the
   * publication is reconciled.
   */
  async notShown(publication: PublicationWithAccount, error: unknown, run: JobRun): Promise<void> {
    const failure = failureOf(error);
    if (failure.code === 'UNCERTAIN') {
      reportPost(run, 'unconfirmed', failure.message);
      return run.commit((db) => this.attempts.suspected(db, publication, failure.message));
    }
    await this.record({ ...publication, attempts: publication.attempts + 1 }, failure, run);
  }

  /**
   * Handles a failed call, which `attempts` already counts. A call that broke off after it was sent arrives as
   * UNCERTAIN.
   */
  async afterCall(publication: PublicationWithAccount, error: unknown, run: JobRun): Promise<void> {
    if (error instanceof DeadlineExceeded) {
      const until = this.clock.now();
      reportPost(run, 'postponed', error.message);
      const waits = { until, reason: `before the call ${error.message}`, waitingFor: null, countsAttempt: false };
      return run.commit((db) => this.attempts.again(db, publication, waits));
    }
    await this.record(publication, failureOf(error), run);
  }

  /** Handles a failed repeat. An earlier call may have succeeded, whatever the answer to this one says. */
  async afterRepeat(publication: PublicationWithAccount, error: unknown, run: JobRun): Promise<void> {
    const failure =
      error instanceof DeadlineExceeded ? new PublishFailure('UNCERTAIN', error.message) : failureOf(error);
    const { code, message, until } = failure;
    const renewal = code === 'AUTH_ERROR' ? await this.renew(publication) : 'refused';
    if (renewal instanceof PublishFailure) return this.reconcileLater(publication, renewal, run);
    if (code === 'EXPIRED' || renewal === 'renewed') return this.reconcileNow(publication, message, run);
    if (code !== 'REFUSED' && code !== 'AUTH_ERROR') {
      await this.reconcileLater(publication, failure, run);
      if (code === 'RATE_LIMITED' && until)
        await this.accounts.close(publication.accountId, { until, reason: message });
      return;
    }
    const reason = `an earlier call was not answered; this one was refused: ${message}`;
    reportPost(run, 'unknown', reason);
    await run.commit((db) => this.attempts.unknown(db, publication, reason));
    this.metrics.ended(publication, 'unknown');
    if (code === 'AUTH_ERROR') await this.accounts.breakDown(publication.accountId, message);
  }

  private async record(publication: PublicationWithAccount, failure: PublishFailure, run: JobRun): Promise<void> {
    const { attempts, postponements } = publication;
    const step = afterFailure(failure, { attempts, postponements, now: this.clock.now() });
    switch (step.kind) {
      case 'fail':
        return this.giveUp(publication, failure.message, run);
      case 'expire':
        return this.expire(publication, failure.message, run);
      case 'renew credentials':
        return this.afterRefusedCredentials(publication, failure, run);
      case 'reconcile':
        return this.reconcileLater(publication, failure, run);
      case 'try again':
        return this.again(publication, failure, { step, run });
    }
  }

  private async again(
    publication: PublicationWithAccount,
    failure: PublishFailure,
    { step, run }: Retry,
  ): Promise<void> {
    const { code, message: reason } = failure;
    const { at: until, countsAttempt, postponements } = step;
    const waits = { until, reason, countsAttempt, postponements, waitingFor: waitingFor(failure) };
    const lastError = code === 'UNREACHABLE' && { lastError: reason };
    reportPost(run, code === 'RATE_LIMITED' || code === 'NOT_YET' ? 'postponed' : 'try_failed', reason);
    await run.commit((db) => this.attempts.again(db, publication, { ...waits, ...lastError }));
    if (code === 'RATE_LIMITED') await this.accounts.close(publication.accountId, { until, reason });
  }

  private async reconcileLater(
    publication: PublicationWithAccount,
    failure: PublishFailure,
    run: JobRun,
  ): Promise<void> {
    const { message: lastError, until: named } = failure;
    const platform = findPlatform(publication.platform);
    const call = openCallOf(publication, platform, { config: this.config, now: this.clock.now() });
    const reconciliation = {
      settlesInMs: settlesInMs(platform),
      canReconcile: platform?.find !== undefined,
      until: named,
    };
    const until = firstReconciliationAt(call, reconciliation);
    reportPost(run, 'unconfirmed', lastError);
    await run.commit((db) => this.attempts.reconcileLater(db, publication, { until, lastError }));
  }

  private async reconcileNow(publication: PublicationWithAccount, lastError: string, run: JobRun): Promise<void> {
    reportPost(run, 'unconfirmed', lastError);
    await run.commit((db) => this.attempts.reconcileLater(db, publication, { until: this.clock.now(), lastError }));
  }

  /** Renews expired tokens. The account is marked as broken only if the platform refuses to renew them. */
  private async afterRefusedCredentials(
    publication: PublicationWithAccount,
    failure: PublishFailure,
    run: JobRun,
  ): Promise<void> {
    const renewal = await this.renew(publication);
    if (renewal instanceof PublishFailure) return this.record(publication, renewal, run);
    if (renewal === 'renewed' && publication.attempts < MAX_ATTEMPTS) {
      const now = { kind: 'try again', at: this.clock.now(), countsAttempt: true, postponements: 0 } as const;
      return this.again(publication, failure, { step: now, run });
    }
    await this.giveUp(publication, failure.message, run);
    if (renewal === 'refused') await this.accounts.breakDown(publication.accountId, failure.message);
  }

  /** Returns a failure if the credentials could neither be renewed nor found to be refused. */
  private async renew(publication: PublicationWithAccount): Promise<'renewed' | 'refused' | PublishFailure> {
    const platform = findPlatform(publication.platform);
    try {
      const isRenewed = platform && (await this.vault.renew(publication.account, platform));
      return isRenewed ? 'renewed' : 'refused';
    } catch (error) {
      return failureOf(error);
    }
  }

  async expire(publication: PublicationWithAccount, reason: string, run: JobRun): Promise<void> {
    reportPost(run, 'expired', reason);
    await run.commit((db) => this.attempts.expired(db, publication, reason));
    this.metrics.ended(publication, 'expired');
  }

  async giveUp(publication: PublicationWithAccount, reason: string, run: JobRun): Promise<void> {
    reportPost(run, 'failed', reason);
    await run.commit((db) => this.fail(db, publication, reason));
    this.metrics.ended(publication, 'failed');
  }

  private async fail(db: Db, publication: PublicationWithAccount, reason: string): Promise<void> {
    await this.attempts.failed(db, publication, reason);
    await buryPublication(db, publication, { reason, at: this.clock.now() });
  }
}

interface Retry {
  step: Extract<AfterFailure, { kind: 'try again' }>;
  run: JobRun;
}

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

/** Records a dead letter with the reasons of all attempts of a publication that failed permanently. */
async function buryPublication(
  db: Db,
  { id, platform, accountId, content, attempts }: Publication,
  { reason, at }: { reason: string; at: Date },
): Promise<void> {
  const queue = publishJobs.get(platform)?.name ?? platform;
  const tries = await db
    .select()
    .from(publicationChanges)
    .where(and(eq(publicationChanges.publicationId, id), eq(publicationChanges.isFailedTry, true)))
    .orderBy(desc(publicationChanges.id))
    .limit(Math.max(0, attempts - 1));
  const failures = tries.reverse().map((change) => ({ at: change.at.toISOString(), reason: change.reason }));
  const last = { at: at.toISOString(), reason };
  const [first = last, ...rest] = failures;
  await recordDeadLetter(db, {
    queue,
    jobName: queue,
    subject: id,
    payload: { publicationId: id, accountId, content },
    history: failures.length ? [first, ...rest, last] : [last],
  });
}
