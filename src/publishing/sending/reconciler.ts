import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import type { JobRun } from '../../platform/jobs/job-handler.js';
import { Clock } from '../../platform/time/clock.js';
import { CredentialVault } from '../accounts/credential-vault.js';
import { type Platform, type PlatformTools, type PublishCommand, type Published, PublishFailure } from '../platform.js';
import { AttemptsStore, type PublicationWithAccount } from './attempts.store.js';
import { FailurePolicy } from './failure-policy.js';
import { FreezeDetector } from './freeze-detector.js';
import { type AfterReconciliation, afterReconciliation, expiryOf, type ReconciliationResult } from './next-attempt.js';
import { openCallOf, settlesInMs } from './open-call.js';
import { PlatformCalling } from './platform-calling.js';
import { PlatformToolbox } from './platform-toolbox.js';
import { reportPost } from './publish-jobs.js';
import { PublishMetrics } from './publish-metrics.js';
import { PublishedRecorder } from './published-recorder.js';

/** A publication whose call may or may not have succeeded. */
interface UnconfirmedCall {
  publication: PublicationWithAccount;
  platform: Platform;
  tools: PlatformTools;
}

/** The result of a reconciliation. A call without a command cannot be repeated. */
type Reconciliation =
  | { found: Published }
  | { seen: ReconciliationResult; command: PublishCommand | undefined; failure?: PublishFailure | undefined };

/**
 * Finds out whether a call with an unknown outcome succeeded, and only then decides the next step, by the rules of
 * `afterReconciliation`.
 */
@Injectable()
export class Reconciler {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly attempts: AttemptsStore,
    private readonly recorder: PublishedRecorder,
    private readonly vault: CredentialVault,
    private readonly calling: PlatformCalling,
    private readonly toolbox: PlatformToolbox,
    private readonly failurePolicy: FailurePolicy,
    private readonly freezeDetector: FreezeDetector,
    private readonly clock: Clock,
    private readonly metrics: PublishMetrics,
  ) {}

  async run(publication: PublicationWithAccount, platform: Platform, run: JobRun): Promise<void> {
    const { intendedAt, notBefore, lastError } = publication;
    const settledAt = notBefore ?? this.settledAt(intendedAt ?? this.clock.now(), platform);
    if (settledAt > this.clock.now()) {
      reportPost(run, 'postponed');
      return run.commit((db) => this.attempts.reconcileLater(db, publication, { until: settledAt, lastError }));
    }
    const unconfirmed = { publication, platform, tools: this.toolbox.tools(run.signal) };
    const reconciliation = await this.search(unconfirmed, run);
    if ('found' in reconciliation) {
      const reason = 'it was found on the platform';
      await run.commitTogether((claim) => this.recorder.record(claim, reconciliation.found, reason));
      return reportPost(run, 'published');
    }
    const { seen, command, failure } = reconciliation;
    const call = openCallOf(publication, platform, { config: this.config, now: this.clock.now() });
    const step = afterReconciliation(seen, command ? call : { ...call, keyUntil: undefined }, failure?.until);
    if (step.kind === 'repeat' && command) return this.repeat(unconfirmed, { command, seen }, run);
    await this.record(unconfirmed, { step, failure }, run);
  }

  private async search(unconfirmed: UnconfirmedCall, run: JobRun): Promise<Reconciliation> {
    const { platform, tools } = unconfirmed;
    let command: PublishCommand | undefined;
    try {
      command = await this.commandOf(unconfirmed);
      if (!platform.find) return { seen: 'blind', command };
      const found = await platform.find(command, tools);
      return found && !command.others?.has(found.postId) ? { found } : { seen: 'absent', command };
    } catch (failure) {
      if (run.signal.aborted || !(failure instanceof PublishFailure)) throw failure;
      if (failure.code !== 'UNCERTAIN') return { seen: 'unreadable', command, failure };
      if (await this.hasRivals(unconfirmed, command)) return { seen: 'unreadable', command: undefined, failure };
      return { seen: 'doubtful', command, failure };
    }
  }

  private async commandOf({ publication, platform }: UnconfirmedCall): Promise<PublishCommand> {
    const { content, key, progress, firstTriedAt, createdAt, intendedAt } = publication;
    const credentials = await this.vault.credentialsOf(publication.account, platform);
    // The order matters: a publication that is recorded between the two queries is in one of the results.
    const pending = (await this.attempts.pending(publication)).map((other) => other.content);
    const others = await this.attempts.others(publication);
    const calledUntil = this.settledAt(intendedAt ?? this.clock.now(), platform);
    const looksFor = { intendedAt: firstTriedAt ?? createdAt, others, pending, calledUntil };
    return { content, credentials, key, progress: progress ?? undefined, ...looksFor };
  }

  /** Tells whether the post may belong to another call that is in flight or was recorded during the search. */
  private async hasRivals(
    { publication, platform }: UnconfirmedCall,
    command: PublishCommand | undefined,
  ): Promise<boolean> {
    const now = this.clock.now();
    const pending = await this.attempts.pending(publication);
    if (pending.some(({ intendedAt }) => intendedAt && this.settledAt(intendedAt, platform) > now)) return true;
    const others = await this.attempts.others(publication);
    return [...others].some((postId) => !command?.others?.has(postId));
  }

  /** The platform recognises the command by its key, so a repeat publishes nothing if an earlier call succeeded. */
  private async repeat(
    unconfirmed: UnconfirmedCall,
    { command, seen }: { command: PublishCommand; seen: ReconciliationResult },
    run: JobRun,
  ) {
    const { publication, platform, tools } = unconfirmed;
    const settledAt = this.settledAt(this.clock.now(), platform);
    const repeated = await run.write((db) => this.attempts.repeat(db, publication, settledAt));
    const call = { publication: repeated, platform, command, tools, mayBeThere: seen !== 'absent' };
    await this.freezeDetector.watch(this.config.publishCallMs, (inTime) =>
      this.calling.publishOnce({ ...call, inTime }, run),
    );
  }

  private async record({ publication }: UnconfirmedCall, outcome: Outcome, run: JobRun): Promise<void> {
    const { step, failure } = outcome;
    const { lastError } = publication;
    const why = lastError ?? 'the process that was to make the call has ended';
    switch (step.kind) {
      case 'repeat':
        throw new Error('a call without a command was to be repeated');
      case 'reconcile': {
        const unseen = failure ? `whether it is there could not be seen: ${failure.message}` : lastError;
        const later = { until: step.at, lastError: unseen, postponements: step.postponements };
        reportPost(run, 'unconfirmed', unseen ?? undefined);
        return run.commit((db) => this.attempts.reconcileLater(db, publication, later));
      }
      case 'expire': {
        const expiry = expiryOf(publication, this.config.publishGraceMs, this.clock.now()) ?? '';
        return this.failurePolicy.expire(publication, `it is not on the platform, and ${expiry}: ${why}`, run);
      }
      case 'call again': {
        const { at: until, postponements } = step;
        const waits = { until, countsAttempt: false, waitingFor: lastError && 'another try', postponements };
        const reason = `it is not on the platform: ${why}`;
        reportPost(run, lastError ? 'try_failed' : 'postponed', reason);
        return run.commit((db) => this.attempts.again(db, publication, { ...waits, reason }));
      }
      case 'ask a person':
        return this.askPerson(
          publication,
          [step.reason, failure?.message ?? lastError].filter(Boolean).join('; '),
          run,
        );
    }
  }

  private async askPerson(publication: PublicationWithAccount, reason: string, run: JobRun): Promise<void> {
    reportPost(run, 'unknown', reason);
    await run.commit((db) => this.attempts.unknown(db, publication, reason));
    this.metrics.ended(publication, 'unknown');
  }

  /**
   * Until this time, the process that intended the call may still make it, or the platform may not show the post yet.
   */
  private settledAt(intendedAt: Date, platform: Platform): Date {
    return new Date(intendedAt.getTime() + this.config.publishCallMs + settlesInMs(platform));
  }
}

interface Outcome {
  step: AfterReconciliation;
  failure: PublishFailure | undefined;
}
