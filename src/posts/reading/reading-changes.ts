import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Db } from '../../platform/database/database.js';
import { Events } from '../../platform/events/events.js';
import { followersMoved } from '../../sources/followers-moved.event.js';
import { followsChanged } from '../../sources/follows-changed.event.js';
import { postsChanged } from '../posts-changed.event.js';
import { readingChanged } from './reading-changed.event.js';

/** Beyond this number of sources or users everything counts as changed. */
const MAX_KNOWN = 200_000;

/**
 * Says whether anything that a user reads has changed since a moment, for values that this process has cached. Moments are
 * a count of the changes that this process has heard of. While it hears nothing, everything counts as changed.
 */
@Injectable()
export class ReadingChanges implements OnModuleInit {
  private count = 1;
  /** Values from before this moment are outdated. */
  private heardSince = 1;
  private readonly sources = new Map<string, number>();
  private readonly users = new Map<string, number>();

  constructor(private readonly events: Events) {}

  onModuleInit() {
    this.events.onLost(() => this.forget());
    this.events.onReconnect(() => this.forget());
    this.events.subscribe(followersMoved, () => this.forget());
    this.events.subscribe(postsChanged, ({ sourceId }) => this.note(this.sources, sourceId));
    this.events.subscribe(followsChanged, ({ userId }) => this.changed(userId));
    this.events.subscribe(readingChanged, ({ userId }) => this.changed(userId));
  }

  /** Take it before the values are read, so that a change in between makes them look older, never newer. */
  now(): number {
    return this.events.listening ? this.count : 0;
  }

  /** Other processes hear of it when the transaction has committed. */
  publishFollows(db: Db, userId: string): Promise<void> {
    return this.events.publish(db, followsChanged, { userId });
  }

  /** Follows or marks of the user have changed. Call it after an own change, whose event arrives later. */
  changed(userId: string): void {
    this.note(this.users, userId);
  }

  isUserChanged(userId: string, since: number): boolean {
    return !this.events.listening || since < this.heardSince || (this.users.get(userId) ?? 0) > since;
  }

  changedAmong(sourceIds: Iterable<string>, since: number): string[] {
    return [...sourceIds].filter((id) => (this.sources.get(id) ?? 0) > since);
  }

  private note(changes: Map<string, number>, id: string): void {
    this.count += 1;
    changes.set(id, this.count);
    if (changes.size > MAX_KNOWN) this.forget();
  }

  private forget(): void {
    this.count += 1;
    this.heardSince = this.count;
    this.sources.clear();
    this.users.clear();
  }
}
