import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { LOG, type Log } from '../../platform/log/log.js';
import { AccountsStore } from './accounts.store.js';
import type { Account } from './accounts.table.js';
import { ownerOf, Secrets } from './secrets.js';

const BATCH = 100;

@Injectable()
export class KeyRotation implements OnApplicationBootstrap, OnModuleDestroy {
  private running: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly accounts: AccountsStore,
    private readonly secrets: Secrets,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** The start does not wait for it. Credentials that are used meanwhile are encrypted again at that time. */
  onApplicationBootstrap() {
    this.running = this.all().catch((err) =>
      this.log.error({ event: 'key_rotation_failed', err }, 'Could not encrypt credentials with the newest key'),
    );
  }

  async onModuleDestroy() {
    this.stopped = true;
    await this.running;
  }

  async one(account: Account): Promise<boolean> {
    const { id, credentials } = account;
    if (this.secrets.isCurrent(credentials) || !this.secrets.knows(credentials)) return false;
    const resealed = this.secrets.seal(this.secrets.open(credentials, ownerOf(account)), ownerOf(account));
    return this.accounts.reseal(id, { from: credentials, to: resealed });
  }

  private async all(): Promise<void> {
    await this.accounts.forgetRemoved();
    const counts = { resealed: 0, withoutKey: 0 };
    for (let after = '0'; !this.stopped; ) {
      const batch = await this.accounts.sealedOtherwise(this.secrets.currentPrefix, { after, limit: BATCH });
      for (const account of batch) {
        if (!this.secrets.knows(account.credentials)) counts.withoutKey += 1;
        else if (await this.one(account)) counts.resealed += 1;
      }
      const last = batch.at(-1);
      if (!last) break;
      after = last.id;
    }
    if (counts.resealed)
      this.log.info({ event: 'keys_rotated', ...counts }, 'Encrypted credentials with the newest key');
    if (counts.withoutKey)
      this.log.warn({ event: 'keys_missing', ...counts }, 'Cannot read credentials of accounts: their key is missing');
  }
}
