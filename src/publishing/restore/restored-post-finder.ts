import { Injectable } from '@nestjs/common';
import { type Platform, type Published, PublishFailure } from '../platform.js';
import { findPlatform } from '../platforms.js';
import { AttemptsStore } from '../sending/attempts.store.js';
import { PlatformCaller } from '../sending/platform-caller.js';
import type { PublicationWithAccount } from '../sending/publish-jobs.js';
import { OPEN_STATUSES } from './publishing-hold.js';
import type { RESTORE_OUTCOMES } from './publishing-holds.table.js';

/** The time limit (ms) for one publication: a renewal of its credentials and the search. */
const FIND_TIMEOUT_MS = 105_000;
/** Posts of publications in these states explain what the platform shows, whatever became of them since the backup. */
const UNSETTLED = [...OPEN_STATUSES, 'unknown'] as const;

export interface RestoreFinding {
  outcome: (typeof RESTORE_OUTCOMES)[number];
  reason: string;
  found?: Published;
}

@Injectable()
export class RestoredPostFinder {
  constructor(
    private readonly attempts: AttemptsStore,
    private readonly caller: PlatformCaller,
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
    const { firstTriedAt } = publication;
    const { command, tools } = await this.caller.open(publication, platform, AbortSignal.timeout(FIND_TIMEOUT_MS));
    const others = await this.attempts.others(publication);
    const pending = (await this.attempts.pending(publication, UNSETTLED)).map((other) => other.content);
    // The first call may have been made at any time since the backup, also before the time that the backup contains.
    const intendedAt = firstTriedAt && firstTriedAt < backupAt ? firstTriedAt : backupAt;
    const found = await platform.find?.({ ...command, intendedAt, others, pending }, tools);
    return found && !others.has(found.postId) ? found : undefined;
  }
}

/** Files are uploaded again for each attempt, and the backup does not contain uploads that were made after it. */
function canTell(platform: Platform, { content }: PublicationWithAccount): boolean {
  if (!platform.find) return false;
  return platform.findsWithoutProgress === true || content.mediaUrls.length === 0;
}
