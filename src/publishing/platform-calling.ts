import { Injectable } from '@nestjs/common';
import type { JobRun } from '../platform/queue/job-handler.js';
import { AccountsStore } from './accounts.store.js';
import { Arrivals } from './arrivals.js';
import type { Attempted } from './attempts.store.js';
import { KillPoints } from './kill-points.js';
import type { Platform, PlatformTools, PublishCommand, Published, ToldLimit } from './platform.js';
import { PlatformToolbox } from './platform-toolbox.js';
import { Verdicts } from './verdicts.js';
import { Wakefulness } from './wakefulness.js';

/** Makes the one call that shows a post, and records how it ended. */
@Injectable()
export class PlatformCalling {
  constructor(
    private readonly toolbox: PlatformToolbox,
    private readonly arrivals: Arrivals,
    private readonly accounts: AccountsStore,
    private readonly verdicts: Verdicts,
    private readonly wakefulness: Wakefulness,
    private readonly killPoints: KillPoints,
  ) {}

  /** The intent is stored: a crash from here on is looked into before anything else happens. */
  async publishOnce(call: OneCall, run: JobRun): Promise<void> {
    const { publication, mayBeThere } = call;
    await this.killPoints.reach('claimed and not sent');
    let published: Published & { told?: ToldLimit };
    try {
      published = await this.call(call, AbortSignal.any([run.signal, call.inTime]));
    } catch (error) {
      if (mayBeThere) return this.verdicts.afterRepeat(publication, error, run);
      return this.verdicts.afterCall(publication, error, run);
    }
    await this.killPoints.reach('answered and not committed');
    const reason = `try ${publication.attempts}`;
    await run.commitTogether((claim) => this.arrivals.record(claim, published, reason));
    await this.killPoints.reach('committed and not acknowledged');
    if (published.told) await this.accounts.heed(publication.accountId, published.told);
  }

  private async call({ platform, command, tools }: OneCall, signal: AbortSignal) {
    this.wakefulness.look();
    signal.throwIfAborted();
    const [published] = await Promise.all([
      platform.publish(command, this.toolbox.within(tools, signal)),
      this.killPoints.reach('sent and not answered'),
    ]);
    return published;
  }
}

export interface OneCall {
  publication: Attempted;
  platform: Platform;
  command: PublishCommand;
  tools: PlatformTools;
  /** Aborts when it is too late to make the call. */
  inTime: AbortSignal;
  /** An earlier call may have come through: that this one did not says nothing about it. */
  mayBeThere?: boolean;
}
