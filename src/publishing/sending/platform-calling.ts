import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import type { JobRun } from '../../platform/jobs/job-handler.js';
import { Clock } from '../../platform/time/clock.js';
import { AccountsStore } from '../accounts/accounts.store.js';
import {
  type AnnouncedLimit,
  type Platform,
  type PlatformTools,
  type PublishCommand,
  type Published,
  PublishFailure,
} from '../platform.js';
import type { PublicationWithAccount } from './attempts.store.js';
import { FailurePolicy } from './failure-policy.js';
import { FreezeDetector } from './freeze-detector.js';
import { KillPoints } from './kill-points.js';
import { expiryOf } from './next-attempt.js';
import { PlatformToolbox } from './platform-toolbox.js';
import { reportPost } from './publish-jobs.js';
import { PublishedRecorder } from './published-recorder.js';

/** Makes the one call that publishes a post, and records its outcome. */
@Injectable()
export class PlatformCalling {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly toolbox: PlatformToolbox,
    private readonly recorder: PublishedRecorder,
    private readonly accounts: AccountsStore,
    private readonly failurePolicy: FailurePolicy,
    private readonly freezeDetector: FreezeDetector,
    private readonly killPoints: KillPoints,
    private readonly clock: Clock,
  ) {}

  /** The intent is stored already, so a crash from here on leads to a reconciliation before anything else happens. */
  async publishOnce(call: OneCall, run: JobRun): Promise<void> {
    const { publication, mayBeThere } = call;
    await this.killPoints.reach('claimed and not sent');
    let published: Published & { told?: AnnouncedLimit };
    try {
      published = await this.call(call, AbortSignal.any([run.signal, call.inTime]));
    } catch (error) {
      if (mayBeThere) return this.failurePolicy.afterRepeat(publication, error, run);
      return this.failurePolicy.afterCall(publication, error, run);
    }
    await this.killPoints.reach('answered and not committed');
    const reason = `try ${publication.attempts}`;
    await run.commitTogether((claim) => this.recorder.record(claim, published, reason));
    reportPost(run, 'published');
    await this.killPoints.reach('committed and not acknowledged');
    if (published.told) await this.accounts.applyRateLimit(publication.account, published.told);
  }

  /** A request that waits for a connection or a host slot may be too late when it gets one. Then it is not sent. */
  private async call({ publication, platform, command, tools }: OneCall, signal: AbortSignal) {
    const tooLate = new AbortController();
    const refuseLate = () => {
      const expiry = expiryOf(publication, this.config.publishGraceMs, this.clock.now());
      if (expiry) tooLate.abort(new PublishFailure('EXPIRED', expiry));
    };
    this.freezeDetector.checkNow();
    refuseLate();
    const ending = AbortSignal.any([signal, tooLate.signal]);
    ending.throwIfAborted();
    const [published] = await Promise.all([
      platform.publish(command, this.toolbox.within(tools, ending, refuseLate)),
      this.killPoints.reach('sent and not answered'),
    ]);
    return published;
  }
}

export interface OneCall {
  publication: PublicationWithAccount;
  platform: Platform;
  command: PublishCommand;
  tools: PlatformTools;
  /** Aborts when it is too late to make the call. */
  inTime: AbortSignal;
  /** An earlier call may have succeeded, so a failure of this one does not show that nothing was published. */
  mayBeThere?: boolean;
}
