import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import type { Config } from '../platform/config.js';
import { CONFIG } from '../platform/config.token.js';
import type { JobRun } from '../platform/queue/job-handler.js';
import { Arrivals } from './arrivals.js';
import { type Attempted, AttemptsStore } from './attempts.store.js';
import { MOST_ATTEMPTS, nextAttemptAt, nextLookAt } from './next-attempt.js';
import { OpenAccounts } from './open-accounts.js';
import { type Platform, type PublishCommand, type Published, PublishFailure } from './platform.js';
import { type OneCall, PlatformCalling } from './platform-calling.js';
import { PlatformToolbox } from './platform-toolbox.js';
import { PublishMetrics } from './publish-metrics.js';
import { settlesInMs } from './settles-in.js';
import { Verdicts } from './verdicts.js';
import { Wakefulness } from './wakefulness.js';

/** Keys are used no more when the platform is about to forget them. */
const KEY_MARGIN_MS = 60_000;

/** A publication whose call may or may not have come through. */
interface Doubt {
  publication: Attempted;
  platform: Platform;
  /** When its first call was decided on. */
  triedAt: Date;
}

type Repeat = Pick<OneCall, 'command' | 'tools'>;

/** Finds out what became of a call that nobody knows the end of, and only then decides. */
@Injectable()
export class LookBack {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly attempts: AttemptsStore,
    private readonly arrivals: Arrivals,
    private readonly accounts: OpenAccounts,
    private readonly calling: PlatformCalling,
    private readonly toolbox: PlatformToolbox,
    private readonly verdicts: Verdicts,
    private readonly wakefulness: Wakefulness,
    private readonly clock: Clock,
    private readonly metrics: PublishMetrics,
  ) {}

  async run(publication: Attempted, platform: Platform, run: JobRun): Promise<void> {
    const { intendedAt, firstTriedAt, notBefore, lastError } = publication;
    const settledAt = notBefore ?? this.settledAt(intendedAt ?? this.clock.now(), platform);
    if (settledAt > this.clock.now())
      return run.commit((db) => this.attempts.lookLater(db, publication, { until: settledAt, lastError }));
    const doubt = { publication, platform, triedAt: firstTriedAt ?? publication.createdAt };
    if (!platform.find && !this.knowsKey(doubt)) return this.askSomebody(doubt, 'the platform cannot be asked', run);
    try {
      await this.decide(doubt, await this.commandOf(doubt), run);
    } catch (error) {
      if (run.signal.aborted || !(error instanceof PublishFailure)) throw error;
      await this.later(doubt, error, run);
    }
  }

  private async commandOf({ publication, platform, triedAt }: Doubt): Promise<PublishCommand> {
    const { content, key, progress } = publication;
    const credentials = await this.accounts.credentialsOf(publication.account, platform);
    const others = await this.attempts.others(publication);
    return { content, credentials, key, progress: progress ?? undefined, intendedAt: triedAt, others };
  }

  private async decide(doubt: Doubt, command: PublishCommand, run: JobRun): Promise<void> {
    const { publication, platform } = doubt;
    const tools = this.toolbox.tools(run.signal);
    const found = await platform.find?.(command, tools);
    if (found && !command.others?.has(found.postId)) return this.hasArrived(found, run);
    const isLast = publication.attempts >= MOST_ATTEMPTS && !diedUntold(publication);
    if (!isLast && this.knowsKey(doubt)) return this.repeat(doubt, { command, tools }, run);
    if (platform.find) return this.absent(publication, run);
    await this.askSomebody(doubt, 'no call was answered', run);
  }

  private async hasArrived(found: Published, run: JobRun): Promise<void> {
    await run.commitTogether((claim) => this.arrivals.record(claim, found, 'it was found on the platform'));
  }

  /** The platform knows the command by its key: should the first call have come through, this one shows nothing more. */
  private async repeat({ publication, platform }: Doubt, call: Repeat, run: JobRun): Promise<void> {
    const settledAt = this.settledAt(this.clock.now(), platform);
    const attempts = countedOf(publication) + 1;
    const repeated = await run.write((db) => this.attempts.repeat(db, { ...publication, attempts }, settledAt));
    const mayBeThere = platform.find === undefined;
    await this.wakefulness.watch(this.config.publishCallMs, (inTime) =>
      this.calling.publishOnce({ ...call, publication: repeated, platform, inTime, mayBeThere }, run),
    );
  }

  private async absent(publication: Attempted, run: JobRun): Promise<void> {
    const { lastError, intendedAt } = publication;
    const now = this.clock.now();
    const reason = `it is not on the platform: ${lastError ?? 'the process that was to make the call has ended'}`;
    if (diedUntold(publication)) {
      const waits = { until: now, reason, waitingFor: null, uncounted: true };
      return run.commit((db) => this.attempts.again(db, publication, waits));
    }
    const next = nextAttemptAt(publication.attempts, intendedAt ?? now);
    if (!next) return this.verdicts.giveUp(publication, reason, run);
    const waits = { until: next, reason, waitingFor: 'another try', uncounted: false };
    await run.commit((db) => this.attempts.again(db, publication, waits));
  }

  private knowsKey({ platform: { knowsKeysForMs = 0 }, triedAt }: Doubt): boolean {
    const lastsUntil = triedAt.getTime() + knowsKeysForMs - this.config.publishCallMs - KEY_MARGIN_MS;
    return this.clock.now().getTime() < lastsUntil;
  }

  /** Whoever was to make a call then, and has not told how it ended, may be about to make it. */
  private settledAt(intendedAt: Date, platform: Platform): Date {
    return new Date(intendedAt.getTime() + this.config.publishCallMs + settlesInMs(platform));
  }

  private async later(doubt: Doubt, { message, until }: PublishFailure, run: JobRun) {
    const { publication, triedAt } = doubt;
    const next = nextLookAt(triedAt, this.clock.now());
    if (!next) return this.askSomebody(doubt, `the platform could not be asked for a day: ${message}`, run);
    const lastError = `whether it is there could not be seen: ${message}`;
    await run.commit((db) => this.attempts.lookLater(db, publication, { until: until ?? next, lastError }));
  }

  private async askSomebody({ publication }: Doubt, reason: string, run: JobRun): Promise<void> {
    const told = publication.lastError ? `${reason}; ${publication.lastError}` : reason;
    await run.commit((db) => this.attempts.unknown(db, publication, told));
    this.metrics.ended(publication, 'unknown');
  }
}

/** A crash of ours costs no attempt. */
const diedUntold = ({ lastError }: Attempted) => lastError === null;
const countedOf = (publication: Attempted) => publication.attempts - (diedUntold(publication) ? 1 : 0);
