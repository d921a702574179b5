import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { type Platform, PublishFailure } from '../platform.js';
import { PlatformToolbox } from '../sending/platform-toolbox.js';
import { testHooks } from '../sending/test-hooks.js';
import { AccountsStore } from './accounts.store.js';
import type { Account } from './accounts.table.js';
import { UnknownKey } from './encryption.js';
import { KeyRotation } from './key-rotation.js';
import { ownerOf, Secrets } from './secrets.js';

/** The time limit of a renewal (ms), because other processes wait for it. */
const MAX_MS = 45_000;

@Injectable()
export class CredentialVault {
  private readonly renewals = new Map<string, Promise<unknown>>();

  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsStore,
    private readonly secrets: Secrets,
    private readonly resealing: KeyRotation,
    private readonly toolbox: PlatformToolbox,
  ) {}

  async credentialsOf(account: Account, platform: Platform): Promise<unknown> {
    const credentials = this.opened(account, platform);
    await this.resealing.one(account);
    if (!platform.refresh) return credentials;
    return (await this.refreshed(account, platform, 'before use')) ?? credentials;
  }

  async renew(account: Account, platform: Platform): Promise<boolean> {
    try {
      return (await this.refreshed(account, platform, 'refused')) !== undefined;
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

  /** Concurrent requests of this process share one renewal, and so one database connection. */
  private refreshed(account: Account, platform: Platform, reason: Reason): Promise<unknown> {
    const key = `${account.id} ${reason} ${account.credentials}`;
    const renewal = this.renewals.get(key) ?? this.renewExclusively(account, platform, reason);
    this.renewals.set(key, renewal);
    return renewal.finally(() => this.renewals.delete(key));
  }

  /** A second caller, in any process, gets the credentials that the first one received. */
  private async renewExclusively(account: Account, platform: Platform, reason: Reason): Promise<unknown> {
    return this.database.transaction(async (db) => {
      const held = await this.accounts.hold(db, account.id);
      if (!held) return undefined;
      const current = this.opened(held, platform);
      if (reason === 'refused' && held.credentials !== account.credentials) return current;
      const renewed = await this.renewed(platform, current, reason);
      if (renewed === undefined) return undefined;
      await testHooks.reach('refreshing credentials');
      await this.accounts.change(held.id, { credentials: this.secrets.seal(renewed, ownerOf(held)) }, db);
      return renewed;
    });
  }

  private async renewed(platform: Platform, current: unknown, reason: Reason): Promise<unknown> {
    const signal = AbortSignal.timeout(MAX_MS);
    try {
      return await platform.refresh?.(current, reason, this.toolbox.tools(signal));
    } catch (error) {
      if (signal.aborted) throw unrenewed(`${platform.label} did not renew the credentials in time`, error);
      if (error instanceof PublishFailure && error.code === 'UNAVAILABLE') throw unrenewed(error.message, error);
      throw error;
    }
  }
}

/** The post was not attempted, so the failure costs no attempt. */
const unrenewed = (message: string, cause: unknown) => new PublishFailure('UNREACHABLE', message, { cause });

type Reason = 'before use' | 'refused';
