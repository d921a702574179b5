import { Injectable } from '@nestjs/common';
import type { Db } from '../../platform/database/database.js';
import { Handles, type JobHandler, type JobRun } from '../../platform/jobs/job-handler.js';
import { FailurePolicy } from './failure-policy.js';
import type { Deadline } from './freeze-detector.js';
import { type Attempt, type PlatformCall, PlatformCaller } from './platform-caller.js';
import { PublishAttempts } from './publish-attempts.js';
import { PublishIntents } from './publish-intents.js';
import { type PublishJob, publishJobs } from './publish-jobs.js';
import { Reconciler } from './reconciler.js';
import { testHooks } from './test-hooks.js';

/** A publication whose last call has an unknown outcome is reconciled instead of prepared. */
@Injectable()
@Handles(...publishJobs.values())
export class PublishWorker implements JobHandler<PublishJob> {
  constructor(
    private readonly attempts: PublishAttempts,
    private readonly reconciler: Reconciler,
    private readonly caller: PlatformCaller,
    private readonly intents: PublishIntents,
    private readonly failurePolicy: FailurePolicy,
  ) {}

  async run(_job: PublishJob, run: JobRun) {
    const attempt = this.attempts.load(run);
    if (!attempt) return;
    const isOpen = attempt.publication.status === 'publishing';
    if (isOpen) run.progress(10, `Looking for the post on ${attempt.publication.platform}`);
    const call = isOpen ? await this.reconciler.reconcile(attempt) : await this.prepare(attempt);
    if (!call) return;
    // The deadline covers the intent and the call, so a process that takes over can rely on no later call.
    const deadline = this.caller.startDeadline(attempt);
    try {
      const intended = call.isIntended ? call : await this.reserve(call);
      if (intended) await this.callOnce(intended, deadline);
    } finally {
      deadline.end();
    }
  }

  async failed(db: Db, { publicationId }: PublishJob) {
    await this.attempts.stopped(db, publicationId);
  }

  async replayed(db: Db, { publicationId }: PublishJob) {
    await this.attempts.replayed(db, publicationId);
  }

  private async prepare(attempt: Attempt): Promise<PlatformCall | undefined> {
    if (await this.failurePolicy.refuseUntimely(attempt)) return undefined;
    attempt.run.progress(10, `Preparing a post for ${attempt.publication.platform}`);
    let call: PlatformCall;
    try {
      call = await this.caller.prepare(attempt, async (progress) => {
        await this.attempts.saveProgress(attempt, progress);
        await testHooks.reach('between two steps');
      });
    } catch (error) {
      if (attempt.run.signal.aborted) throw error;
      await this.failurePolicy.beforeCall(attempt, error);
      return undefined;
    }
    // The post may have expired during its uploads.
    return (await this.failurePolicy.refuseUntimely(attempt)) ? undefined : call;
  }

  private async reserve(call: PlatformCall): Promise<PlatformCall | undefined> {
    const { publication, platform, command, run } = call;
    const intention = await run.writeTogether((claim) => this.intents.intend(claim, publication, platform));
    switch (intention.kind) {
      case 'changed':
        return this.attempts.handBack(call);
      case 'no capacity':
        return this.attempts.postpone(call, intention);
      case 'decided': {
        const { intended } = intention;
        const intendedAt = intended.firstTriedAt ?? undefined;
        return { ...call, publication: intended, command: { ...command, intendedAt }, isIntended: true };
      }
    }
  }

  /** The intent is stored already, so a crash from here on leads to a reconciliation before anything else happens. */
  private async callOnce(call: PlatformCall, deadline: Deadline): Promise<void> {
    await testHooks.reach('claimed and not sent');
    call.run.progress(60, `Sending the post, try ${call.publication.attempts}`);
    let published: Awaited<ReturnType<PlatformCaller['publish']>>;
    try {
      published = await this.caller.publish(call, deadline);
    } catch (error) {
      return call.mayBeThere ? this.failurePolicy.afterRepeat(call, error) : this.failurePolicy.afterCall(call, error);
    }
    await testHooks.reach('answered and not committed');
    await this.attempts.published(call, published, `try ${call.publication.attempts}`);
  }
}
