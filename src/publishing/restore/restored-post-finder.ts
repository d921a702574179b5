import { Injectable } from '@nestjs/common';
import { CredentialVault } from '../accounts/credential-vault.js';
import { type Platform, type Published, PublishFailure } from '../platform.js';
import { findPlatform } from '../platforms.js';
import { AttemptsStore, type PublicationWithAccount } from '../sending/attempts.store.js';
import { PlatformToolbox } from '../sending/platform-toolbox.js';
import { OPEN_STATUSES } from './publishing-hold.js';
import type { RESTORE_OUTCOMES } from './publishing-holds.table.js';

const FIND_TIMEOUT_MS = 60_000;
/**
 * Posts of publications in these states explain what the platform shows, whatever became of them since the backup.
 */
const UNSETTLED = [...OPEN_STATUSES, 'unknown'] as const;

export interface RestoreFinding {
  outcome: (typeof RESTORE_OUTCOMES)[number];
  reason: string;
  found?: Published;
}

/** Searches for one post of a restored database on its platform. */
@Injectable()
export class RestoredPostFinder {
  constructor(
    private readonly attempts: AttemptsStore,
    private readonly accounts: CredentialVault,
    private readonly toolbox: PlatformToolbox,
  ) {}

  async find(publication: PublicationWithAccount, backupAt: Date): Promise<RestoreFinding> {
    const platform = findPlatform(publication.platform);
    if (!platform || !canTell(platform, publication)) {
      const label = platform?.label ?? publication.platform;
      return {
        outcome: 'unknown',
        reason: `it was due since the backup, and ${label} cannot be asked whether it is there`,
      };
    }
    try {
      const found = await this.ask(publication, platform, backupAt);
      if (found) return { outcome: 'published', reason: 'it was found on the platform after a restore', found };
      return { outcome: 'to_send', reason: 'it is not on the platform after a restore' };
    } catch (error) {
      if (!(error instanceof PublishFailure)) throw error;
      if (error.code === 'UNCERTAIN') return { outcome: 'unknown', reason: error.message };
      return { outcome: 'unread', reason: `whether it is there could not be seen: ${error.message}` };
    }
  }

  private async ask(
    publication: PublicationWithAccount,
    platform: Platform,
    backupAt: Date,
  ): Promise<Published | undefined> {
    const { content, key, account, progress, firstTriedAt } = publication;
    const credentials = await this.accounts.credentialsOf(account, platform);
    const others = await this.attempts.others(publication);
    const pending = (await this.attempts.pending(publication, UNSETTLED)).map((other) => other.content);
    // The first call may have been made at any time since the backup, also before the time that the backup contains.
    const intendedAt = firstTriedAt && firstTriedAt < backupAt ? firstTriedAt : backupAt;
    const command = { content, credentials, key, progress: progress ?? undefined, intendedAt, others, pending };
    const found = await platform.find?.(command, this.toolbox.tools(AbortSignal.timeout(FIND_TIMEOUT_MS)));
    return found && !others.has(found.postId) ? found : undefined;
  }
}

/** Files are uploaded again for each attempt, and the backup does not contain uploads that were made after it. */
function canTell(platform: Platform, { content }: PublicationWithAccount): boolean {
  if (!platform.find) return false;
  return platform.findsWithoutProgress === true || content.mediaUrls.length === 0;
}
