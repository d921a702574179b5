import { Injectable } from '@nestjs/common';
import { ApiError } from '../../platform/errors/api-error.js';
import { storableText } from '../../platform/jobs/storable.js';
import { Clock } from '../../platform/time/clock.js';
import type { Platform } from '../platform.js';
import { findPlatform } from '../platforms.js';
import { AccountsStore } from './accounts.store.js';
import type { Account } from './accounts.table.js';
import { CredentialInput, type CredentialLoader } from './credential-input.js';
import { CredentialVault } from './credential-vault.js';
import type { AccountChange, NewAccount } from './new-account.js';
import { ownerOf, Secrets } from './secrets.js';

@Injectable()
export class Accounts {
  constructor(
    private readonly store: AccountsStore,
    private readonly input: CredentialInput,
    private readonly vault: CredentialVault,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  async create(userId: string, { platform: name, credentials: given, check, ...rest }: NewAccount): Promise<Account> {
    const platform = existing(name);
    const credentials = this.input.read(platform, given);
    const proof = check ? await this.proof(platform, () => credentials) : {};
    const sealed = this.secrets.seal(credentials, ownerOf({ userId, platform: name }));
    const { slots = null } = rest;
    return this.store.insert({ userId, platform: name, name: rest.name, slots, credentials: sealed, ...proof });
  }

  async change(account: Account, { name, slots, credentials, check }: AccountChange): Promise<void> {
    const renewed = credentials === undefined ? {} : await this.renewed(account, credentials, check);
    await this.store.change(account.id, { name, slots, ...renewed });
    // The limit was announced for the previous credentials.
    if (credentials !== undefined && account.closedUntil) await this.store.reopen(account.id, account.closedUntil);
  }

  async check(account: Account): Promise<void> {
    const platform = existing(account.platform);
    try {
      const open: CredentialLoader = () => this.vault.credentialsOf(account, platform);
      await this.store.change(account.id, await this.proof(platform, open));
      // A check by the user is the way to report that the platform has lifted its limit.
      if (account.closedUntil) await this.store.reopen(account.id, account.closedUntil);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'credentials_refused') throw error;
      const lastError = storableText(error.message);
      await this.store.change(account.id, { status: 'broken', lastError, checkedAt: this.clock.now() });
    }
  }

  private async renewed(account: Account, given: unknown, check: boolean): Promise<Partial<Account>> {
    const platform = existing(account.platform);
    const credentials = this.input.read(platform, given);
    const proof = check
      ? await this.proof(platform, () => credentials)
      : { status: 'active' as const, lastError: null };
    if ('platformId' in proof && account.platformId !== null && proof.platformId !== account.platformId) {
      const whose = `These credentials are those of ${proof.platformName}, and the account is ${account.platformName}.`;
      // Posts are searched for on the account that they were sent to. On another one they would be sent again.
      throw new ApiError('conflict', `${whose} Make another account of them.`);
    }
    return { ...proof, credentials: this.secrets.seal(credentials, ownerOf(account)) };
  }

  private async proof(platform: Platform, credentials: CredentialLoader) {
    const { id, name } = await this.input.prove(platform, credentials);
    const who = { platformId: storableText(id), platformName: storableText(name) };
    return { ...who, status: 'active' as const, lastError: null, checkedAt: this.clock.now() };
  }
}

function existing(name: string): Platform {
  const platform = findPlatform(name);
  if (!platform) throw new ApiError('not_found', `There is no platform ${name} any more.`);
  return platform;
}
