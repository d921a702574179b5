import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import type { JobRun } from '../platform/queue/job-handler.js';
import { type Attempted, AttemptsStore } from './attempts.store.js';
import { MOST_ATTEMPTS, nextLookAt } from './next-attempt.js';
import { OpenAccounts } from './open-accounts.js';
import { type Platform, type PublishCommand, PublishFailure } from './platform.js';
import { PlatformCalling } from './platform-calling.js';
import { PlatformToolbox } from './platform-toolbox.js';
import { Verdicts } from './verdicts.js';

const SETTLES_IN_MS = 10_000;
/** Keys are used no more when the platform is about to forget them. */
const KEY_MARGIN_MS = 60_000;

/** For a publication whose call may or may not have come through: finds out, and only then decides. */
@Injectable()
export class LookBack {
  constructor(
    private readonly attempts: AttemptsStore,
    private readonly accounts: OpenAccounts,
    private readonly calling: PlatformCalling,
    private readonly toolbox: PlatformToolbox,
    private readonly verdicts: Verdicts,
    private readonly clock: Clock,
  ) {}

  async run(publication: Attempted, platform: Platform, run: JobRun): Promise<void> {
    const intendedAt = publication.intendedAt ?? this.clock.now();
    if (!platform.find && !this.knowsKey(platform, intendedAt))
      return this.askSomebody(publication, `${platform.label} offers no way to look whether the post is there`, run);
    const settledAt = new Date(intendedAt.getTime() + (platform.settlesInMs ?? SETTLES_IN_MS));
    if (platform.find && settledAt > this.clock.now()) return this.wait(publication, settledAt, run);
    try {
      const credentials = await this.accounts.credentialsOf(publication.account, platform, run.signal);
      const { content, key, progress } = publication;
      await this.decide(publication, platform, { content, credentials, key, progress, intendedAt }, run);
    } catch (error) {
      if (run.signal.aborted || !(error instanceof PublishFailure)) throw error;
      await this.later(publication, intendedAt, error, run);
    }
  }

  private async decide(publication: Attempted, platform: Platform, command: PublishCommand, run: JobRun) {
    const found = await platform.find?.(command, this.toolbox.tools(run.signal));
    if (found && !(await this.attempts.isTaken(publication, found.postId)))
      return run.commit((db) => this.attempts.published(db, publication, found, 'it was found on the platform'));
    const { attempts } = publication;
    if (platform.knowsKeysForMs !== undefined && command.intendedAt && this.knowsKey(platform, command.intendedAt)) {
      await run.write((db) => this.attempts.repeat(db, publication));
      return this.calling.publishOnce({ ...publication, attempts: attempts + 1 }, platform, command, run);
    }
    if (!platform.find) return this.askSomebody(publication, 'the platform does not know its key any more', run);
    const absent = `it is not on the platform${publication.lastError ? `: ${publication.lastError}` : ''}`;
    if (attempts >= MOST_ATTEMPTS) return this.verdicts.giveUp(publication, absent, run);
    const waits = { until: this.clock.now(), reason: absent, waitingFor: null, uncounted: false };
    return run.commit((db) => this.attempts.again(db, publication, waits));
  }

  private knowsKey({ knowsKeysForMs = 0 }: Platform, intendedAt: Date): boolean {
    return this.clock.now().getTime() - intendedAt.getTime() < knowsKeysForMs - KEY_MARGIN_MS;
  }

  private wait(publication: Attempted, until: Date, run: JobRun): Promise<void> {
    const reason = publication.lastError ?? 'the process that made the call has ended';
    return run.commit((db) => this.attempts.lookLater(db, publication, { until, reason }));
  }

  private async later(publication: Attempted, intendedAt: Date, { message, until }: PublishFailure, run: JobRun) {
    const next = nextLookAt(intendedAt, this.clock.now());
    if (!next) return this.askSomebody(publication, `the platform could not be asked for a day: ${message}`, run);
    const reason = `whether it is there could not be seen: ${message}`;
    await run.commit((db) => this.attempts.lookLater(db, publication, { until: until ?? next, reason }));
  }

  private askSomebody(publication: Attempted, reason: string, run: JobRun): Promise<void> {
    const told = publication.lastError ? `${reason}; ${publication.lastError}` : reason;
    return run.commit((db) => this.attempts.unknown(db, publication, told));
  }
}
