import { Injectable } from '@nestjs/common';
import { eq } from 'drizzle-orm';
import { Database, type Db, violates } from '../../platform/database/database.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { Events } from '../../platform/events/events.js';
import { Clock } from '../../platform/time/clock.js';
import { AccountsStore } from '../accounts/accounts.store.js';
import type { Account } from '../accounts/accounts.table.js';
import { FreeSlots } from '../accounts/free-slots.js';
import { Dispatch } from '../sending/dispatch.js';
import { publicationRows } from '../sending/publish-jobs.js';
import { Cancellation } from './cancellation.js';
import { ContentChecks } from './content-checks.js';
import { movePublication } from './move-publication.js';
import { hasTime, type PublicationChange } from './new-publication.js';
import { NOT_STARTED, PRIORITIES, type PublicationStatus } from './publication-status.js';
import { type PublicationTime, refuseEarlyExpiry, timeOf } from './publication-time.js';
import { PublicationsStore } from './publications.store.js';
import { type Publication, publications, SLOTS } from './publications.table.js';

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

const PUBLISH_NOW = {
  slotAt: null,
  localTime: null,
  timezone: null,
  notBefore: null,
  waitingFor: null,
  postponements: 0,
} as const;
/** A free slot is searched this often, because concurrent requests may take it first. */
const MAX_ATTEMPTS = 20;

/** Changes publications for which no call has been intended yet. For others it is too late. */
@Injectable()
export class PublicationEdits {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly store: PublicationsStore,
    private readonly accounts: AccountsStore,
    private readonly checks: ContentChecks,
    private readonly freeSlots: FreeSlots,
    private readonly cancellation: Cancellation,
    private readonly dispatch: Dispatch,
    private readonly clock: Clock,
  ) {}

  async change(publication: Publication, change: PublicationChange): Promise<Publication> {
    if (!isOpen(publication)) throw tooLate(publication);
    const { content, checkMedia } = change;
    const account = await this.accountOf(publication);
    if (content) await this.checks.check([account], { content, checkMedia, several: false });
    const changed = await this.inFreeSlot(() =>
      this.database.transaction((db) => this.write(db, { id: publication.id, account, change })),
    );
    return this.done(changed, publication);
  }

  async cancel(publication: Publication): Promise<Publication> {
    const { id, userId, status } = publication;
    if (status === 'cancelled') return publication;
    const cancelled = await this.database.transaction((db) => this.cancellation.one(db, id, 'its user cancelled it'));
    if (cancelled) return cancelled;
    const now = (await this.store.find(userId, id)) ?? publication;
    if (now.status === 'cancelled') return now;
    throw tooLate(now);
  }

  /** A publication that is already queued stays queued. */
  async publishNow(publication: Publication): Promise<Publication> {
    const at = this.clock.now();
    const set = { ...PUBLISH_NOW, scheduledAt: at };
    const move = { from: ['scheduled'], to: 'scheduled', reason: 'its user wants it published now', at, set } as const;
    const moved = await this.database.transaction((db) => movePublication(db, this.events, publication.id, move));
    if (moved) return this.done(moved, publication);
    const now = (await this.store.find(publication.userId, publication.id)) ?? publication;
    if (now.status === 'queued') return now;
    throw tooLate(now);
  }

  private async write(db: Db, { id, account, change }: Edit): Promise<Publication | undefined> {
    const publication = await this.store.hold(db, id);
    if (!publication || !isOpen(publication)) return undefined;
    const at = this.clock.now();
    const { content, priority } = change;
    const time = hasTime(change) ? await this.timeOf(db, account, change) : undefined;
    const expiresAt = change.expiresAt === undefined ? publication.expiresAt : dateOf(change.expiresAt);
    refuseEarlyExpiry(expiresAt, time?.scheduledAt ?? publication.scheduledAt, at);
    const set = {
      ...(content && { content, progress: null, firstTriedAt: null, postponements: 0 }),
      ...(time && { ...time, notBefore: null, waitingFor: null }),
      ...(priority && { priority: PRIORITIES.indexOf(priority) }),
      expiresAt,
      version: publication.version + 1,
    };
    // A worker that is preparing the publication loses its claim, because it prepares the earlier version.
    await publicationRows.withdraw(db, eq(publications.id, id));
    const reason = `its user changed ${whatOf(change).join(', ')}`;
    return movePublication(db, this.events, id, { from: NOT_STARTED, to: 'scheduled', reason, at, set });
  }

  private async timeOf(db: Db, account: Account, change: PublicationChange): Promise<PublicationTime> {
    const now = this.clock.now();
    if (change.slot === undefined) return timeOf(change, now);
    for (const time of await this.freeSlots.of(account, now, db)) return time;
    throw this.freeSlots.none(account);
  }

  /** The unique index of publications decides between concurrent requests. */
  private async inFreeSlot<T>(attempt: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!violates(error, SLOTS) || tries >= MAX_ATTEMPTS) throw error;
      }
    }
  }

  private async accountOf({ userId, accountId }: Publication): Promise<Account> {
    const account = await this.accounts.find(userId, accountId);
    if (!account) throw new ApiError('not_found', `You have no account ${accountId} any more.`);
    return account;
  }

  private async done(moved: Publication | undefined, before: Publication): Promise<Publication> {
    if (!moved) throw tooLate((await this.store.find(before.userId, before.id)) ?? before);
    this.dispatch.soon([moved]);
    return moved;
  }
}

interface Edit {
  id: string;
  account: Account;
  change: PublicationChange;
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

/** The message says what the publication is doing instead. */
function tooLate({ id, status, intendedAt, publishedAt }: Publication): ApiError {
  const since = status === 'publishing' && intendedAt ? ` since ${intendedAt.toISOString()}` : '';
  const at = status === 'published' && publishedAt ? ` at ${publishedAt.toISOString()}` : '';
  return new ApiError('too_late', `The publication ${id} ${WHAT_IT_DOES[status]}${since}${at}.`);
}
