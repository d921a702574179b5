import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import type { JobRun } from '../../platform/jobs/job-handler.js';
import { Clock } from '../../platform/time/clock.js';
import { CredentialVault } from '../accounts/credential-vault.js';
import {
  type AnnouncedLimit,
  type Platform,
  type PlatformTools,
  type PublishCommand,
  type Published,
  PublishFailure,
} from '../platform.js';
import { type Deadline, FreezeDetector } from './freeze-detector.js';
import { expiryOf } from './next-attempt.js';
import { PlatformToolbox } from './platform-toolbox.js';
import type { PublicationWithAccount } from './publish-jobs.js';
import { testHooks } from './test-hooks.js';

export interface Attempt {
  publication: PublicationWithAccount;
  platform: Platform;
  run: JobRun;
}

export interface PlatformCall extends Attempt {
  command: PublishCommand;
  tools: PlatformTools;
  isIntended: boolean;
  /** An earlier call may have succeeded, so a failure of this one does not show that nothing was published. */
  mayBeThere: boolean;
}

@Injectable()
export class PlatformCaller {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly vault: CredentialVault,
    private readonly toolbox: PlatformToolbox,
    private readonly freezeDetector: FreezeDetector,
    private readonly clock: Clock,
  ) {}

  async open(publication: PublicationWithAccount, platform: Platform, signal: AbortSignal) {
    const tools = this.toolbox.tools(signal);
    const credentials = await this.vault.credentialsOf(publication.account, platform);
    const { content, key, progress } = publication;
    const command: PublishCommand = {
      content,
      credentials,
      key,
      progress: progress ?? undefined,
      intendedAt: undefined,
    };
    return { command, tools };
  }

  /** Nobody can see these steps on the platform. */
  async prepare(attempt: Attempt, save: (progress: unknown) => Promise<void>): Promise<PlatformCall> {
    const { publication, platform, run } = attempt;
    const { command, tools } = await this.open(publication, platform, run.signal);
    if (platform.prepare) command.progress = await platform.prepare(command, tools, save);
    return { ...attempt, command, tools, isIntended: false, mayBeThere: false };
  }

  startDeadline({ run }: Attempt): Deadline {
    return this.freezeDetector.startDeadline(this.config.publishCallMs, run.signal);
  }

  /** A request that waits for a connection or a host slot may be too late when it gets one. Then it is not sent. */
  async publish(call: PlatformCall, deadline: Deadline): Promise<Published & { announced?: AnnouncedLimit }> {
    const { publication, platform, command, tools } = call;
    const refuseLate = () => {
      const expiry = expiryOf(publication, this.config.publishGraceMs, this.clock.now());
      if (expiry) deadline.abort(new PublishFailure('EXPIRED', expiry));
    };
    this.freezeDetector.checkNow();
    refuseLate();
    deadline.signal.throwIfAborted();
    const [published] = await Promise.all([
      platform.publish(command, this.toolbox.within(tools, deadline.signal, refuseLate)),
      testHooks.reach('sent and not answered'),
    ]);
    return published;
  }
}
