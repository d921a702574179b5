import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import type { Db } from '../../platform/database/database.js';
import { Handles, type JobHandler, type JobRun, OUR_MISTAKE } from '../../platform/jobs/job-handler.js';
import { GiveUp } from '../../platform/jobs/outcomes.js';
import { Clock } from '../../platform/time/clock.js';
import { CredentialVault } from '../accounts/credential-vault.js';
import type { Platform, PublishCommand } from '../platform.js';
import { findPlatform } from '../platforms.js';
import { AttemptsStore, type PublicationWithAccount } from './attempts.store.js';
import { FailurePolicy } from './failure-policy.js';
import { FreezeDetector } from './freeze-detector.js';
import { KillPoints } from './kill-points.js';
import { expiryOf } from './next-attempt.js';
import { type OneCall, PlatformCalling } from './platform-calling.js';
import { PlatformToolbox } from './platform-toolbox.js';
import { PublishIntents } from './publish-intents.js';
import { type PublishJob, publishJobs, reportPost } from './publish-jobs.js';
import { PublishMetrics } from './publish-metrics.js';
import { Reconciler } from './reconciler.js';

/**
 * Makes one attempt to publish. It reconciles a call with an unknown outcome, prepares the post, reserves capacity,
 * stores the intent (after which the publication cannot be changed), makes the one call and records its outcome.
 */
@Injectable()
@Handles(...publishJobs.values())
export class PublishWorker implements JobHandler<PublishJob> {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly attempts: AttemptsStore,
    private readonly intents: PublishIntents,
    private readonly vault: CredentialVault,
    private readonly calling: PlatformCalling,
    private readonly toolbox: PlatformToolbox,
    private readonly reconciler: Reconciler,
    private readonly failurePolicy: FailurePolicy,
    private readonly freezeDetector: FreezeDetector,
    private readonly killPoints: KillPoints,
    private readonly clock: Clock,
    private readonly metrics: PublishMetrics,
  ) {}

  async run({ publicationId }: PublishJob, run: JobRun) {
    const publication = await this.attempts.find(publicationId);
    if (!publication || !['queued', 'publishing'].includes(publication.status)) return;
    run.report({ target: publication.platform });
    const platform = findPlatform(publication.platform);
    if (!platform) throw new GiveUp(`there is no platform ${publication.platform} any more`);
    if (publication.status === 'publishing') return this.reconciler.run(publication, platform, run);
    if (publication.scheduledAt > this.clock.now()) return this.untilDue(publication, run);
    if (await this.hasExpired(publication, run)) return;
    await this.publish(publication, platform, run);
  }

  async failed(db: Db, { publicationId }: PublishJob) {
    const ended = await this.attempts.stopped(db, publicationId, OUR_MISTAKE);
    if (ended) this.metrics.ended(ended.publication, ended.status);
  }

  async replayed(db: Db, { publicationId }: PublishJob) {
    await this.attempts.replayed(db, publicationId);
  }

  private async publish(publication: PublicationWithAccount, platform: Platform, run: JobRun): Promise<void> {
    const tools = this.toolbox.tools(run.signal);
    let command: PublishCommand;
    try {
      command = await this.prepared({ publication, platform, tools }, run);
    } catch (error) {
      if (run.signal.aborted) throw error;
      return this.failurePolicy.notShown(publication, error, run);
    }
    // The post may have expired during its uploads.
    if (await this.hasExpired(publication, run)) return;
    await this.freezeDetector.watch(this.config.publishCallMs, (inTime) =>
      this.show({ publication, platform, command, tools, inTime }, run),
    );
  }

  /**
   * The deadline covers the intent and the call, so that a process that takes over can rely on it that no call is
   * made later.
   */
  private async show(call: OneCall, run: JobRun): Promise<void> {
    const { publication, platform, command } = call;
    const intention = await run.writeTogether((claim) => this.intents.intend(claim, publication, platform));
    if (intention.kind !== 'decided') reportPost(run, intention.kind === 'changed' ? 'changed' : 'postponed');
    if (intention.kind === 'changed') return run.commit((db) => this.attempts.handBack(db, publication));
    if (intention.kind === 'no capacity') {
      const { until, reason } = intention;
      const waits = { until, reason: `it waits for ${reason}`, waitingFor: reason, countsAttempt: false };
      return run.commit((db) => this.attempts.again(db, { ...publication, attempts: publication.attempts + 1 }, waits));
    }
    const { intended } = intention;
    const decided = { ...command, intendedAt: intended.firstTriedAt ?? undefined };
    await this.calling.publishOnce({ ...call, publication: intended, command: decided }, run);
  }

  /** A scheduler of an earlier version with a fast clock may have handed the publication out too early. */
  private async untilDue(publication: PublicationWithAccount, run: JobRun): Promise<void> {
    const reason = 'it is not due yet';
    reportPost(run, 'postponed', reason);
    const waits = { until: publication.scheduledAt, reason, waitingFor: null, countsAttempt: false };
    await run.commit((db) => this.attempts.again(db, { ...publication, attempts: publication.attempts + 1 }, waits));
  }

  /** Records the expiry if the publication has expired. */
  private async hasExpired(publication: PublicationWithAccount, run: JobRun): Promise<boolean> {
    const expiry = expiryOf(publication, this.config.publishGraceMs, this.clock.now());
    if (!expiry) return false;
    await this.failurePolicy.expire(publication, expiry, run);
    return true;
  }

  /** Takes all steps that nobody can see on the platform. */
  private async prepared({ publication, platform, tools }: Preparation, run: JobRun): Promise<PublishCommand> {
    const credentials = await this.vault.credentialsOf(publication.account, platform);
    const { content, key, progress } = publication;
    const command = { content, credentials, key, progress: progress ?? undefined, intendedAt: undefined };
    if (!platform.prepare) return command;
    const save = async (saved: unknown) => {
      await run.write((db) => this.attempts.saveProgress(db, publication, saved));
      await this.killPoints.reach('between two steps');
    };
    return { ...command, progress: await platform.prepare(command, tools, save) };
  }
}

type Preparation = Pick<OneCall, 'publication' | 'platform' | 'tools'>;
