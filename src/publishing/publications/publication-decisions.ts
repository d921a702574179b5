import { Injectable } from '@nestjs/common';
import { Database, type Db } from '../../platform/database/database.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { Events } from '../../platform/events/events.js';
import { closeDeadLetter } from '../../platform/jobs/dead-letters/record-dead-letter.js';
import { Clock } from '../../platform/time/clock.js';
import { keepAccounts } from '../accounts/accounts.store.js';
import { publishJobs } from '../sending/publish-jobs.js';
import { PublishScheduler } from '../sending/publish-scheduler.js';
import { cancelPublication } from './cancel-publications.js';
import { type Move, movePublication } from './move-publication.js';
import { tooLate } from './publication-edits.js';
import type { Resolution } from './publication-requests.js';
import { PublicationsStore } from './publications.store.js';
import type { Publication } from './publications.table.js';

const PUBLISH_NOW = {
  slotAt: null,
  localTime: null,
  timezone: null,
  notBefore: null,
  waitingFor: null,
  postponements: 0,
} as const;

@Injectable()
export class PublicationDecisions {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly store: PublicationsStore,
    private readonly scheduler: PublishScheduler,
    private readonly clock: Clock,
  ) {}

  async cancel(publication: Publication): Promise<Publication> {
    const { id, userId, status } = publication;
    if (status === 'cancelled') return publication;
    const at = this.clock.now();
    const cancelled = await this.database.transaction((db) =>
      cancelPublication(db, this.events, { id, reason: 'its user cancelled it', at }),
    );
    if (cancelled) return cancelled;
    const now = (await this.store.find(userId, id)) ?? publication;
    if (now.status === 'cancelled') return now;
    throw tooLate(now);
  }

  /** A publication that is already queued stays queued. */
  async publishNow(publication: Publication): Promise<Publication> {
    const { id, userId } = publication;
    const at = this.clock.now();
    const set = { ...PUBLISH_NOW, scheduledAt: at };
    const move = { from: ['scheduled'], to: 'scheduled', reason: 'its user wants it published now', at, set } as const;
    const moved = await this.database.transaction((db) => movePublication(db, this.events, id, move));
    if (moved) {
      this.scheduler.handOutSoon([moved]);
      return moved;
    }
    const now = (await this.store.find(userId, id)) ?? publication;
    if (now.status === 'queued') return now;
    throw tooLate(now);
  }

  async resolve(publication: Publication, resolution: Resolution): Promise<Publication> {
    const isAgain = resolution.outcome === 'not_published' && resolution.retry;
    const at = this.clock.now();
    if (isAgain) refuseExpired(publication, at);
    return this.decide(publication, { ...this.toResolve(resolution, at), at, from: ['unknown'] });
  }

  async retry(publication: Publication): Promise<Publication> {
    const at = this.clock.now();
    refuseExpired(publication, at);
    const reason = 'its user wants another try';
    return this.decide(publication, { to: 'scheduled', reason, at, set: again(at), from: ['failed'] });
  }

  private toResolve(resolution: Resolution, at: Date): Pick<Move, 'to' | 'reason' | 'set'> {
    if (resolution.outcome === 'published') {
      const { platformPostId = null, platformUrl = null } = resolution;
      const set = { platformPostId, platformUrl, publishedAt: at, intendedAt: null, lastError: null };
      return { to: 'published', reason: 'somebody has seen it on the platform', set };
    }
    const reason = 'somebody has seen that it is not on the platform';
    if (resolution.retry) return { to: 'scheduled', reason, set: again(at) };
    return { to: 'failed', reason, set: { intendedAt: null } };
  }

  private async decide(publication: Publication, move: Move): Promise<Publication> {
    const { id, userId } = publication;
    const moved = await this.database.transaction(async (db) => {
      await this.closeLetter(db, publication, move);
      if (move.to === 'scheduled') await this.keepAccount(db, publication);
      const moved = await movePublication(db, this.events, id, move);
      if (!moved) throw await this.conflict(userId, id, move);
      return moved;
    });
    if (moved.status === 'scheduled') this.scheduler.handOutSoon([moved]);
    return moved;
  }

  private async closeLetter(db: Db, { id, platform }: Publication, { to, at }: Move): Promise<void> {
    const queue = publishJobs.get(platform)?.name;
    const state = to === 'scheduled' ? 'replayed' : 'discarded';
    if (queue) await closeDeadLetter(db, { queue, subject: id, state, at });
  }

  private async keepAccount(db: Db, { userId, accountId }: Publication): Promise<void> {
    const [kept] = await keepAccounts(db, userId, [accountId]);
    if (kept === undefined) throw new ApiError('conflict', `Its account ${accountId} was removed.`);
  }

  private async conflict(userId: string, id: string, { from: [expected] }: Move): Promise<ApiError> {
    const now = await this.store.find(userId, id);
    return new ApiError('conflict', `The publication ${id} is ${now?.status ?? 'gone'}, and not ${expected}.`);
  }
}

/** It may be too late for the original time. Progress is kept, as it may show that an earlier attempt succeeded. */
const again = (at: Date) => ({
  scheduledAt: at,
  localTime: null,
  timezone: null,
  slotAt: null,
  attempts: 0,
  postponements: 0,
  intendedAt: null,
  notBefore: null,
  waitingFor: null,
});

function refuseExpired({ id, expiresAt }: Publication, now: Date): void {
  if (!expiresAt || expiresAt > now) return;
  throw new ApiError('conflict', `The publication ${id} was not to be published after ${expiresAt.toISOString()}.`);
}
