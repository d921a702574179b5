import { Inject, Injectable } from '@nestjs/common';
import { eq } from 'drizzle-orm';
import { CONFIG, type Config } from '../../platform/config.js';
import { type Db, violates } from '../../platform/database/database.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { Clock } from '../../platform/time/clock.js';
import type { Account } from '../accounts/accounts.table.js';
import { FreeSlots } from '../accounts/free-slots.js';
import { publicationRows } from '../sending/publish-jobs.js';
import { PublishScheduler } from '../sending/publish-scheduler.js';
import type { Move } from './move-publication.js';
import { hasTime, type PublicationChange } from './publication-requests.js';
import { NOT_STARTED, PRIORITIES, type PublicationStatus } from './publication-status.js';
import { type PublicationTime, refuseEarlyExpiry, timeOf } from './publication-time.js';
import { PublicationsStore } from './publications.store.js';
import { type Publication, publications, SLOTS } from './publications.table.js';
import { TargetAccounts } from './target-accounts.js';

const WHAT_IT_DOES: Record<PublicationStatus, string> = {
  scheduled: 'has just been changed by somebody else',
  queued: 'is handed to a worker',
  publishing: 'is being published',
  published: 'was published',
  failed: 'has failed',
  expired: 'has expired',
  cancelled: 'is cancelled',
  unknown: 'may be on the platform: look, and tell it with resolve',
};

/** A free slot is searched this often, because concurrent requests may take it first. */
const MAX_ATTEMPTS = 20;

/** Only publications for which no call has been intended yet can be changed. */
@Injectable()
export class PublicationEdits {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly store: PublicationsStore,
    private readonly targets: TargetAccounts,
    private readonly freeSlots: FreeSlots,
    private readonly scheduler: PublishScheduler,
    private readonly clock: Clock,
  ) {}

  async change(publication: Publication, change: PublicationChange): Promise<Publication> {
    const { id, userId, accountId } = publication;
    if (!isOpen(publication)) throw tooLate(publication);
    const [account] = await this.targets.find(userId, [accountId], () => 'accountId');
    if (!account) throw new Error('an account was not found');
    const { content, checkMedia } = change;
    if (content) await this.targets.check([account], { content, checkMedia, several: false });
    const changed = await inFreeSlot(() =>
      this.store.change(id, (held, db) => this.decide(held, { account, change }, db)),
    );
    if (!changed) throw tooLate((await this.store.find(userId, id)) ?? publication);
    this.scheduler.handOutSoon([changed]);
    return changed;
  }

  private async decide(held: Publication, { account, change }: Edit, db: Db): Promise<Move | undefined> {
    if (!isOpen(held)) return undefined;
    const at = this.clock.now();
    const { content, priority } = change;
    const time = hasTime(change) ? await this.timeOf(account, change, db) : undefined;
    const expiresAt = change.expiresAt === undefined ? held.expiresAt : dateOf(change.expiresAt);
    refuseEarlyExpiry(expiresAt, time?.scheduledAt ?? held.scheduledAt, at);
    const set = {
      ...(content && { content, progress: null, firstTriedAt: null, postponements: 0 }),
      ...(time && { ...time, notBefore: null, waitingFor: null }),
      ...(priority && { priority: PRIORITIES.indexOf(priority) }),
      expiresAt,
      version: held.version + 1,
    };
    // A worker that is preparing the publication loses its claim, because it prepares the earlier version.
    await publicationRows.withdraw(db, eq(publications.id, held.id));
    const reason = `its user changed ${whatOf(change).join(', ')}`;
    return { from: NOT_STARTED, to: 'scheduled', reason, at, set };
  }

  private async timeOf(account: Account, change: PublicationChange, db: Db): Promise<PublicationTime> {
    const now = this.clock.now();
    if (change.slot === undefined) return timeOf(change, { now, graceMs: this.config.publishGraceMs });
    for (const time of await this.freeSlots.of(account, now, db)) return time;
    throw this.freeSlots.none(account);
  }
}

interface Edit {
  account: Account;
  change: PublicationChange;
}

async function inFreeSlot<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!violates(error, SLOTS) || tries >= MAX_ATTEMPTS) throw error;
    }
  }
}

const isOpen = ({ status }: Publication) => (NOT_STARTED as readonly string[]).includes(status);

const dateOf = (text: string | null) => (text === null ? null : new Date(text));

function whatOf(change: PublicationChange): string[] {
  const { content, priority, expiresAt } = change;
  return [
    ...(content ? ['the content'] : []),
    ...(hasTime(change) ? ['the time'] : []),
    ...(priority ? ['the priority'] : []),
    ...(expiresAt === undefined ? [] : ['when it expires']),
  ];
}

export function tooLate({ id, status, intendedAt, publishedAt }: Publication): ApiError {
  const since = status === 'publishing' && intendedAt ? ` since ${intendedAt.toISOString()}` : '';
  const at = status === 'published' && publishedAt ? ` at ${publishedAt.toISOString()}` : '';
  return new ApiError('too_late', `The publication ${id} ${WHAT_IT_DOES[status]}${since}${at}.`);
}
