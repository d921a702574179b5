import { createHash, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import type { Db } from '../../platform/database/database.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { Clock } from '../../platform/time/clock.js';
import { keepAccounts } from '../accounts/accounts.store.js';
import type { Account } from '../accounts/accounts.table.js';
import { FreeSlots } from '../accounts/free-slots.js';
import { PublishScheduler } from '../sending/publish-scheduler.js';
import type { NewPublication } from './publication-requests.js';
import { PRIORITIES } from './publication-status.js';
import { refuseEarlyExpiry, timeOf } from './publication-time.js';
import { type NewRow, PublicationsStore } from './publications.store.js';
import type { Publication } from './publications.table.js';
import { TargetAccounts } from './target-accounts.js';

/** If several accounts are given, publications are created for all or none. */
@Injectable()
export class CreatePublications {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly targets: TargetAccounts,
    private readonly freeSlots: FreeSlots,
    private readonly store: PublicationsStore,
    private readonly scheduler: PublishScheduler,
    private readonly clock: Clock,
  ) {}

  /** A repeated idempotency key returns the publications of the first request. */
  async create(userId: string, requested: NewPublication, key?: string): Promise<Publication[]> {
    const request = key === undefined ? undefined : { idempotencyKey: key, requestHash: hashOf(requested) };
    const earlier = request && (await this.earlier(userId, requested, request));
    if (earlier) return earlier;
    const { content, checkMedia, accountIds, slot } = requested;
    const pathOf = (at: number) => (accountIds === undefined ? 'accountId' : `accountIds.${at}`);
    const accounts = await this.targets.find(userId, accountIdsOf(requested), pathOf);
    const row = this.rowOf(requested, { userId, accounts });
    await this.targets.check(accounts, { content, checkMedia, several: accountIds !== undefined });
    const made = await this.store.withKey(userId, key, async (db) => {
      const others = request && (await this.earlier(userId, requested, request, db));
      return others ?? this.insertAll(db, accounts, { ...row, ...request, isInSlot: slot !== undefined });
    });
    this.scheduler.handOutSoon(made);
    return made;
  }

  private async earlier(userId: string, requested: NewPublication, request: Request, db?: Db) {
    const { idempotencyKey, requestHash } = request;
    const made = await this.store.madeWith(userId, idempotencyKey, db);
    if (!made.length) return undefined;
    const other = made.find((publication) => publication.requestHash !== requestHash);
    if (!other) return accountIdsOf(requested).flatMap((id) => made.filter(({ accountId }) => accountId === id));
    const message = `The key was used for the publication ${other.id}, which is something else.`;
    throw new ApiError('idempotency_key_reused', message);
  }

  private rowOf(requested: NewPublication, { userId, accounts }: { userId: string; accounts: Account[] }) {
    const now = this.clock.now();
    const time = timeOf(requested, { now, graceMs: this.config.publishGraceMs });
    const expiresAt = requested.expiresAt === undefined ? null : new Date(requested.expiresAt);
    if (requested.slot === undefined) refuseEarlyExpiry(expiresAt, time.scheduledAt, now);
    const groupId = accounts.length > 1 ? randomUUID() : null;
    const { content, priority } = requested;
    return { userId, groupId, content, priority: PRIORITIES.indexOf(priority), expiresAt, ...time };
  }

  private async insertAll(db: Db, accounts: Account[], { isInSlot, ...common }: Common): Promise<Publication[]> {
    const byAccount = new Map<string, Publication>();
    // Slots of several accounts are taken in the order of account ids, which avoids deadlocks.
    for (const account of await this.kept(db, common.userId, accounts)) {
      const row = { ...common, accountId: account.id, platform: account.platform };
      byAccount.set(account.id, await (isInSlot ? this.inSlot(db, account, row) : this.insert(db, row)));
    }
    return accounts.flatMap(({ id }) => byAccount.get(id) ?? []);
  }

  /** An account may have been removed while the content was checked. */
  private async kept(db: Db, userId: string, accounts: Account[]): Promise<Account[]> {
    const ids = accounts.map(({ id }) => id);
    const kept = new Set(await keepAccounts(db, userId, ids));
    const gone = ids.find((id) => !kept.has(id));
    if (gone !== undefined) throw new ApiError('not_found', `You have no account ${gone}.`);
    return accounts.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  }

  private async insert(db: Db, row: NewRow): Promise<Publication> {
    const made = await this.store.insert(db, row, this.clock.now());
    if (!made) throw new Error('a publication was not stored');
    return made;
  }

  private async inSlot(db: Db, account: Account, row: NewRow): Promise<Publication> {
    const now = this.clock.now();
    for (const time of await this.freeSlots.of(account, now, db)) {
      refuseEarlyExpiry(row.expiresAt, time.scheduledAt, now);
      const made = await this.store.insert(db, { ...row, ...time }, now);
      if (made) return made;
    }
    throw this.freeSlots.none(account);
  }
}

type Request = { idempotencyKey: string; requestHash: string };
type Common = Omit<NewRow, 'accountId' | 'platform'> & { isInSlot: boolean };

export const accountIdsOf = ({ accountId, accountIds = [] }: NewPublication) =>
  accountId === undefined ? accountIds : [accountId];

const hashOf = (requested: NewPublication) => createHash('sha256').update(JSON.stringify(requested)).digest('hex');
