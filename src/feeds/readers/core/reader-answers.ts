import { Inject, Injectable } from '@nestjs/common';
import { eq } from 'drizzle-orm';
import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { entityTag, sendTagged } from '../../../platform/api/entity-tag.js';
import { CONFIG, type Config } from '../../../platform/config.js';
import { Database } from '../../../platform/database/database.js';
import { ReadingChanges } from '../../../posts/reading/reading-changes.js';
import { follows } from '../../../sources/follows.table.js';

export interface ReaderAnswer {
  body: string;
  type: string;
  /** False if the answer changes in a moment, so that it may not be kept. */
  isLasting?: boolean;
}

interface KeptAnswer extends ReaderAnswer {
  etag: string;
  builtAt: number;
}

interface FollowedSources {
  sourceIds: string[];
  readAt: number;
}

const MAX_BYTES = 64 * 1_048_576;
const MAX_ENTRY_BYTES = 8 * 1_048_576;
const MAX_FOLLOWS = 1_000_000;

/**
 * Answers with a strong entity tag, and with 304 where the client has the answer already. Answers are kept until the
 * user's follows or marks, or posts of followed sources change, so that apps that ask again cost nothing.
 */
@Injectable()
export class ReaderAnswers {
  private readonly kept: LRUCache<string, KeptAnswer>;
  private readonly followed: LRUCache<string, FollowedSources>;

  constructor(
    private readonly database: Database,
    private readonly changes: ReadingChanges,
    @Inject(CONFIG) { cacheTtlMs: ttl }: Pick<Config, 'cacheTtlMs'>,
  ) {
    const sizeCalculation = ({ body }: KeptAnswer) => body.length + 1;
    this.kept = new LRUCache({ maxSize: MAX_BYTES, maxEntrySize: MAX_ENTRY_BYTES, sizeCalculation, ttl });
    const countFollows = ({ sourceIds }: FollowedSources) => sourceIds.length + 1;
    this.followed = new LRUCache({ maxSize: MAX_FOLLOWS, sizeCalculation: countFollows });
  }

  /** `key` must contain everything but the user that the answer depends on. */
  async send(userId: string, key: string, build: () => Promise<ReaderAnswer>, reply: FastifyReply): Promise<void> {
    const answer = await this.answer(`${userId} ${key}`, userId, build);
    await sendTagged(reply.header('Cache-Control', 'private, no-cache'), answer);
  }

  private async answer(key: string, userId: string, build: () => Promise<ReaderAnswer>): Promise<KeptAnswer> {
    const kept = this.kept.get(key);
    if (kept && (await this.isCurrent(userId, kept.builtAt))) return kept;
    const builtAt = this.changes.now();
    const built = await build();
    const answer = { ...built, builtAt, etag: entityTag(built.body) };
    if (built.isLasting !== false) this.kept.set(key, answer);
    return answer;
  }

  private async isCurrent(userId: string, since: number): Promise<boolean> {
    if (this.changes.isUserChanged(userId, since)) return false;
    return this.changes.changedAmong(await this.sourceIdsOf(userId), since).length === 0;
  }

  private async sourceIdsOf(userId: string): Promise<string[]> {
    const known = this.followed.get(userId);
    if (known && !this.changes.isUserChanged(userId, known.readAt)) return known.sourceIds;
    const readAt = this.changes.now();
    const rows = await this.database.db
      .select({ id: follows.sourceId })
      .from(follows)
      .where(eq(follows.userId, userId));
    const sourceIds = rows.map(({ id }) => id);
    this.followed.set(userId, { sourceIds, readAt });
    return sourceIds;
  }
}
