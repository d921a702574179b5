import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import { Clock } from '../../platform/time/clock.js';
import { type Platform, type PlatformTools, type PublishCommand, type Published, PublishFailure } from '../platform.js';
import { AttemptsStore } from './attempts.store.js';
import {
  type AfterReconciliation,
  afterReconciliation,
  expiryOf,
  openCallOf,
  type ReconciliationResult,
  settlesInMs,
} from './next-attempt.js';
import { type Attempt, type PlatformCall, PlatformCaller } from './platform-caller.js';
import { PublishAttempts } from './publish-attempts.js';

type OpenedCall = { command: PublishCommand; tools: PlatformTools };

/** Without a call, nothing can be repeated. */
type SearchResult =
  | { found: Published }
  | { seen: ReconciliationResult; call: OpenedCall | undefined; failure?: PublishFailure | undefined };

@Injectable()
export class Reconciler {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly store: AttemptsStore,
    private readonly caller: PlatformCaller,
    private readonly attempts: PublishAttempts,
    private readonly clock: Clock,
  ) {}

  /** A returned call has to be repeated and its intent is stored. Undefined if the attempt has ended. */
  async reconcile(attempt: Attempt): Promise<PlatformCall | undefined> {
    const { publication, platform } = attempt;
    const { intendedAt, notBefore, lastError } = publication;
    const settledAt = notBefore ?? this.settledAt(intendedAt ?? this.clock.now(), platform);
    if (settledAt > this.clock.now()) {
      await this.attempts.reconcileLater(attempt, { until: settledAt, lastError }, 'postponed');
      return undefined;
    }
    const result = await this.search(attempt);
    if ('found' in result) {
      await this.attempts.published(attempt, result.found, 'it was found on the platform');
      return undefined;
    }
    const { seen, call, failure } = result;
    const open = openCallOf(publication, platform, { config: this.config, now: this.clock.now() });
    const step = afterReconciliation(seen, call ? open : { ...open, keyUntil: undefined }, failure?.until);
    if (step.kind === 'repeat' && call) return this.repeat({ ...attempt, ...call }, seen);
    await this.record(attempt, step, failure);
    return undefined;
  }

  private async search(attempt: Attempt): Promise<SearchResult> {
    const { platform, run } = attempt;
    let call: OpenedCall | undefined;
    try {
      call = await this.open(attempt);
      if (!platform.find) return { seen: 'blind', call };
      const found = await platform.find(call.command, call.tools);
      return found && !call.command.others?.has(found.postId) ? { found } : { seen: 'absent', call };
    } catch (failure) {
      if (run.signal.aborted || !(failure instanceof PublishFailure)) throw failure;
      if (failure.code !== 'UNCERTAIN') return { seen: 'unreadable', call, failure };
      if (await this.hasRivals(attempt, call?.command)) return { seen: 'unreadable', call: undefined, failure };
      return { seen: 'doubtful', call, failure };
    }
  }

  private async open({ publication, platform, run }: Attempt): Promise<OpenedCall> {
    const { firstTriedAt, createdAt, intendedAt } = publication;
    const { command, tools } = await this.caller.open(publication, platform, run.signal);
    // The order matters: a publication that is recorded between the two queries is in one of the results.
    const pending = (await this.store.pending(publication)).map((other) => other.content);
    const others = await this.store.others(publication);
    const calledUntil = this.settledAt(intendedAt ?? this.clock.now(), platform);
    const sought = { intendedAt: firstTriedAt ?? createdAt, others, pending, calledUntil };
    return { command: { ...command, ...sought }, tools };
  }

  private async hasRivals({ publication, platform }: Attempt, command: PublishCommand | undefined): Promise<boolean> {
    const now = this.clock.now();
    const pending = await this.store.pending(publication);
    if (pending.some(({ intendedAt }) => intendedAt && this.settledAt(intendedAt, platform) > now)) return true;
    const others = await this.store.others(publication);
    return [...others].some((postId) => !command?.others?.has(postId));
  }

  /** The platform recognises the command by its key, so a repeat publishes nothing if an earlier call succeeded. */
  private async repeat(call: Attempt & OpenedCall, seen: ReconciliationResult): Promise<PlatformCall> {
    const repeated = await this.attempts.intendRepeat(call, this.settledAt(this.clock.now(), call.platform));
    return { ...repeated, isIntended: true, mayBeThere: seen !== 'absent' };
  }

  private async record(attempt: Attempt, step: AfterReconciliation, failure?: PublishFailure): Promise<void> {
    const { publication } = attempt;
    const { lastError } = publication;
    const why = lastError ?? 'the process that was to make the call has ended';
    switch (step.kind) {
      case 'repeat':
        throw new Error('a call without a command was to be repeated');
      case 'reconcile': {
        const unseen = failure ? `whether it is there could not be seen: ${failure.message}` : lastError;
        const { at: until, postponements } = step;
        return this.attempts.reconcileLater(attempt, { until, lastError: unseen, postponements });
      }
      case 'expire': {
        const expiry = expiryOf(publication, this.config.publishGraceMs, this.clock.now()) ?? '';
        return this.attempts.expire(attempt, `it is not on the platform, and ${expiry}: ${why}`);
      }
      case 'call again': {
        const { at: until, postponements } = step;
        const reason = `it is not on the platform: ${why}`;
        const waits = { until, reason, countsAttempt: false, waitingFor: lastError && 'another try', postponements };
        return this.attempts.again(attempt, lastError ? 'try_failed' : 'postponed', waits);
      }
      case 'ask a person':
        return this.attempts.askPerson(
          attempt,
          [step.reason, failure?.message ?? lastError].filter(Boolean).join('; '),
        );
    }
  }

  /** Until then, the process that intended the call may still make it, or the platform may not show the post. */
  private settledAt(intendedAt: Date, platform: Platform): Date {
    return new Date(intendedAt.getTime() + this.config.publishCallMs + settlesInMs(platform));
  }
}
