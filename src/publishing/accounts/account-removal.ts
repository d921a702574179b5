import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Events } from '../../platform/events/events.js';
import { Clock } from '../../platform/time/clock.js';
import { cancelPublicationsOf } from '../publications/cancel-publications.js';
import { AccountsStore } from './accounts.store.js';
import type { Account } from './accounts.table.js';

@Injectable()
export class AccountRemoval {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly store: AccountsStore,
    private readonly clock: Clock,
  ) {}

  /** Calls in flight are not stopped and are still reconciled if necessary. */
  async remove({ id: accountId }: Account): Promise<void> {
    const at = this.clock.now();
    await this.database.transaction(async (db) => {
      // Publications are locked before their account, as workers do, to avoid deadlocks.
      await cancelPublicationsOf(db, this.events, { accountId, at });
      if (!(await this.store.remove(db, accountId, at))) return;
      await cancelPublicationsOf(db, this.events, { accountId, at });
    });
    await this.store.forgetRemoved();
  }
}
