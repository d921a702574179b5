import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Db } from '../../platform/database/database.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { Clock } from '../../platform/time/clock.js';
import { AccountsStore } from '../accounts/accounts.store.js';
import type { Account } from '../accounts/accounts.table.js';
import { FreeSlots } from '../accounts/free-slots.js';
import { Dispatch } from '../sending/dispatch.js';
import { ContentChecks } from './content-checks.js';
import type { NewPublication } from './new-publication.js';
import { PRIORITIES } from './publication-status.js';
import { refuseEarlyExpiry, timeOf } from './publication-time.js';
import { type NewRow, PublicationsStore } from './publications.store.js';
import type { Publication } from './publications.table.js';

/** Creates publications, for several accounts all or none. */
@Injectable()
export class NewPublications {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsStore,
    private readonly checks: ContentChecks,
    private readonly freeSlots: FreeSlots,
    private readonly store: PublicationsStore,
    private readonly dispatch: Dispatch,
    private readonly clock: Clock,
  ) {}

  /** If the idempotency key was used for the same request, returns the publications of that request. */
  async create(userId: string, wanted: NewPublication, key?: string): Promise<Publication[]> {
    const request = key === undefined ? undefined : { idempotencyKey: key, requestHash: hashOf(wanted) };
    const earlier = request && (await this.earlier(userId, wanted, request));
    if (earlier) return earlier;
    const accounts = await this.existing(userId, wanted);
    const row = this.rowOf(wanted, { userId, accounts });
    const { content, checkMedia, accountIds } = wanted;
    await this.checks.check(accounts, { content, checkMedia, several: accountIds !== undefined });
    const made = await this.database.transaction(async (db) => {
      if (request) await this.store.holdKey(db, userId, request.idempotencyKey);
      const others = request && (await this.earlier(userId, wanted, request, db));
      return others ?? this.insertAll(db, accounts, { ...row, ...request, isInSlot: wanted.slot !== undefined });
    });
    this.dispatch.soon(made);
    return made;
  }

  private async earlier(userId: string, wanted: NewPublication, request: Request, db?: Db) {
    const { idempotencyKey, requestHash } = request;
    const made = await this.store.madeWith(userId, idempotencyKey, db);
    if (!made.length) return undefined;
    const other = made.find((publication) => publication.requestHash !== requestHash);
    if (!other) return accountIdsOf(wanted).flatMap((id) => made.filter(({ accountId }) => accountId === id));
    const message = `The key was used for the publication ${other.id}, which is something else.`;
    throw new ApiError('idempotency_key_reused', message);
  }

  private rowOf(wanted: NewPublication, { userId, accounts }: { userId: string; accounts: Account[] }) {
    const now = this.clock.now();
    const time = timeOf(wanted, now);
    const expiresAt = wanted.expiresAt === undefined ? null : new Date(wanted.expiresAt);
    if (wanted.slot === undefined) refuseEarlyExpiry(expiresAt, time.scheduledAt, now);
    const groupId = accounts.length > 1 ? randomUUID() : null;
    const { content, priority } = wanted;
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

  private async existing(userId: string, wanted: NewPublication): Promise<Account[]> {
    const { accountId } = wanted;
    const ids = accountIdsOf(wanted);
    const found = new Map((await this.accounts.findAll(userId, ids)).map((account) => [account.id, account]));
    const errors = ids.flatMap((id, at) => {
      const path = accountId === undefined ? `accountIds.${at}` : 'accountId';
      return found.has(id) ? [] : [{ path, message: `you have no account ${id}` }];
    });
    const [first] = errors;
    if (first) throw new ApiError('not_found', `You have no account ${ids.find((id) => !found.has(id))}.`, { errors });
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  /** An account may have been removed while the content was checked. */
  private async kept(db: Db, userId: string, accounts: Account[]): Promise<Account[]> {
    const ids = accounts.map(({ id }) => id);
    const kept = new Set(await this.accounts.keep(db, userId, ids));
    const gone = ids.find((id) => !kept.has(id));
    if (gone !== undefined) throw new ApiError('not_found', `You have no account ${gone}.`);
    return accounts.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  }

  private async insert(db: Db, row: NewRow): Promise<Publication> {
    const made = await this.store.insert(db, row, this.clock.now());
    if (!made) throw new Error('a publication was not stored');
    return made;
  }

  /** Takes the next slot that no concurrent request takes. */
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

const accountIdsOf = ({ accountId, accountIds = [] }: NewPublication) =>
  accountId === undefined ? accountIds : [accountId];

const hashOf = (wanted: NewPublication) => createHash('sha256').update(JSON.stringify(wanted)).digest('hex');
