import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { Database, type Db } from '../platform/database/database.js';
import { ApiError } from '../platform/errors/api-error.js';
import { AccountsStore } from './accounts.store.js';
import type { Account } from './accounts.table.js';
import { ContentChecks } from './content-checks.js';
import { Dispatch } from './dispatch.js';
import { FreeSlots } from './free-slots.js';
import type { NewPublication } from './new-publication.js';
import { PRIORITIES } from './publication-status.js';
import { refuseEarlyExpiry, timeOf } from './publication-time.js';
import { type NewRow, PublicationsStore } from './publications.store.js';
import type { Publication } from './publications.table.js';

/** Makes publications: of several accounts all, or none. */
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

  async create(userId: string, wanted: NewPublication): Promise<Publication[]> {
    const { content, priority, checkMedia, accountIds } = wanted;
    const time = timeOf(wanted, this.clock.now());
    const expiresAt = wanted.expiresAt === undefined ? null : new Date(wanted.expiresAt);
    if (wanted.slot === undefined) refuseEarlyExpiry(expiresAt, time.scheduledAt, this.clock.now());
    const accounts = await this.existing(userId, wanted);
    await this.checks.check(accounts, { content, checkMedia, several: accountIds !== undefined });
    const groupId = accounts.length > 1 ? randomUUID() : null;
    const common = { userId, groupId, content, priority: PRIORITIES.indexOf(priority), expiresAt, ...time };
    const made = await this.database.transaction(async (db) => {
      const byAccount = new Map<string, Publication>();
      // Who takes slots of several accounts takes them in the order of their ids: so nobody waits for each other.
      for (const account of await this.kept(db, userId, accounts)) {
        const row = { ...common, accountId: account.id, platform: account.platform };
        byAccount.set(account.id, await (wanted.slot ? this.inSlot(db, account, row) : this.insert(db, row)));
      }
      return byAccount;
    });
    this.dispatch.soon([...made.values()]);
    return accounts.flatMap(({ id }) => made.get(id) ?? []);
  }

  private async existing(userId: string, { accountId, accountIds = [] }: NewPublication): Promise<Account[]> {
    const ids = accountId === undefined ? accountIds : [accountId];
    const found = new Map((await this.accounts.findAll(userId, ids)).map((account) => [account.id, account]));
    const errors = ids.flatMap((id, at) => {
      const path = accountId === undefined ? `accountIds.${at}` : 'accountId';
      return found.has(id) ? [] : [{ path, message: `you have no account ${id}` }];
    });
    const [first] = errors;
    if (first) throw new ApiError('not_found', `You have no account ${ids.find((id) => !found.has(id))}.`, { errors });
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  /** One that was removed while the content was checked is not published on. */
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

  /** The next that nobody else takes at the same time. */
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
