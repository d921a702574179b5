import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database.js';
import { AccountsStore } from './accounts.store.js';
import type { Account } from './accounts.table.js';
import { UnknownKey } from './encryption.js';
import { KillPoints } from './kill-points.js';
import { type Platform, PublishFailure } from './platform.js';
import { PlatformToolbox } from './platform-toolbox.js';
import { Resealing } from './resealing.js';
import { ownerOf, Secrets } from './secrets.js';

/** Accounts with their credentials at hand, renewed where they run out. */
@Injectable()
export class OpenAccounts {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsStore,
    private readonly secrets: Secrets,
    private readonly resealing: Resealing,
    private readonly toolbox: PlatformToolbox,
    private readonly killPoints: KillPoints,
  ) {}

  async credentialsOf(account: Account, platform: Platform, signal: AbortSignal): Promise<unknown> {
    const credentials = this.opened(account, platform);
    await this.resealing.one(account);
    if (!platform.refresh) return credentials;
    return (await this.refreshed(account, platform, { reason: 'before use', signal })) ?? credentials;
  }

  /** After the platform has refused them. False if that cannot help. */
  async renew(account: Account, platform: Platform, signal: AbortSignal): Promise<boolean> {
    try {
      return (await this.refreshed(account, platform, { reason: 'refused', signal })) !== undefined;
    } catch (error) {
      if (error instanceof PublishFailure && error.code === 'AUTH_ERROR') return false;
      throw error;
    }
  }

  private opened(account: Account, platform: Platform): unknown {
    if (!account.credentials) throw new PublishFailure('REFUSED', 'its account was removed');
    try {
      return platform.credentials.parse(this.secrets.open(account.credentials, ownerOf(account)));
    } catch (error) {
      // Another process may have the key.
      if (error instanceof UnknownKey) throw new PublishFailure('UNAVAILABLE', error.message, { cause: error });
      throw error;
    }
  }

  /** One at a time for an account: whoever comes second finds what the first has got. */
  private async refreshed(account: Account, platform: Platform, { reason, signal }: Renewal): Promise<unknown> {
    return this.database.transaction(async (db) => {
      const held = await this.accounts.hold(db, account.id);
      if (!held) return undefined;
      const current = this.opened(held, platform);
      if (reason === 'refused' && held.credentials !== account.credentials) return current;
      const renewed = await platform.refresh?.(current, reason, this.toolbox.tools(signal));
      if (renewed === undefined) return undefined;
      await this.killPoints.reach('refreshing credentials');
      await this.accounts.change(held.id, { credentials: this.secrets.seal(renewed, ownerOf(held)) }, db);
      return renewed;
    });
  }
}

interface Renewal {
  reason: 'before use' | 'refused';
  signal: AbortSignal;
}
