import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { Database } from '../platform/database/database.js';
import { Events } from '../platform/events/events.js';
import { LOG, type Log } from '../platform/log/log.js';
import { followersMoved } from '../sources/followers-moved.event.js';
import { followsChanged } from '../sources/follows-changed.event.js';
import { postsChanged } from './posts-changed.event.js';
import type { Standing } from './timeline-queries.js';

/** Beyond this number of sources or users the state is cleared, and cached timelines are built again. */
const MAX_KNOWN = 200_000;

/**
 * Decides by the events that this process has received. Times are by the database clock, because a value may come from
 * another process. Values from before this process listened without a gap are never valid.
 */
@Injectable()
export class TimelineChanges implements OnModuleInit {
  private readonly revisions = new Map<string, number>();
  /** Time at which a user's follows changed; infinite while that time is being read. */
  private readonly follows = new Map<string, { changedAt: number }>();
  private heardSince: number | undefined;
  private beginning: Promise<void> | undefined;
  private epoch = 0;

  constructor(
    private readonly events: Events,
    private readonly database: Database,
    @Inject(LOG) private readonly log: Log,
  ) {}

  onModuleInit() {
    this.events.onLost(() => this.forget());
    this.events.subscribe(followersMoved, () => this.forget());
    this.events.subscribe(postsChanged, ({ sourceId, revision }) => this.changed(sourceId, revision));
    this.events.subscribe(followsChanged, ({ userId }) => void this.onFollowsChanged(userId));
  }

  async ready(): Promise<void> {
    if (this.heardSince !== undefined || !this.events.listening) return;
    this.beginning ??= this.begin().finally(() => {
      this.beginning = undefined;
    });
    await this.beginning;
  }

  holds({ sourceIds, revisions, at }: Standing, userId?: string): boolean {
    if (this.heardSince === undefined || at <= this.heardSince) return false;
    if (userId !== undefined && at <= (this.follows.get(userId)?.changedAt ?? 0)) return false;
    return sourceIds.every((id, index) => (this.revisions.get(id) ?? 0) <= (revisions[index] ?? 0));
  }

  private changed(sourceId: string, revision: number): void {
    this.revisions.set(sourceId, Math.max(revision, this.revisions.get(sourceId) ?? 0));
    if (this.revisions.size > MAX_KNOWN) this.forget();
  }

  private async onFollowsChanged(userId: string): Promise<void> {
    const latest = { changedAt: Number.POSITIVE_INFINITY };
    this.follows.set(userId, latest);
    if (this.follows.size > MAX_KNOWN) return this.forget();
    try {
      latest.changedAt = await this.databaseTime();
    } catch (err) {
      this.log.warn(
        { event: 'timeline_cache_reset', err, userId },
        'Could not read the database time, cached timelines are dropped',
      );
      this.forget();
    }
  }

  private forget(): void {
    this.epoch += 1;
    this.heardSince = undefined;
    this.revisions.clear();
    this.follows.clear();
  }

  private async begin(): Promise<void> {
    const { epoch } = this;
    const now = await this.databaseTime();
    if (epoch === this.epoch) this.heardSince = now;
  }

  private async databaseTime(): Promise<number> {
    const { rows } = await this.database.db.execute<{ at: number }>(
      sql`SELECT extract(epoch FROM clock_timestamp())::float8 AS at`,
    );
    return rows[0]?.at ?? Number.POSITIVE_INFINITY;
  }
}
