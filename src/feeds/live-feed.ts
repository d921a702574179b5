import { setImmediate } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Activity } from '../auth/users/activity.js';
import { Events } from '../platform/events/events.js';
import type { EventStream, Exchange } from '../platform/live/event-stream.js';
import { LiveHub, MAX_STREAMS_PER_USER, userLimit } from '../platform/live/live-hub.js';
import { Periodic } from '../platform/time/periodic.js';
import type { FeedItem } from '../posts/feed-item.js';
import { postsChanged } from '../posts/posts-changed.event.js';
import { personalised, type TimelinePost, TimelineStore } from '../posts/timeline.store.js';
import { followersMoved } from '../sources/followers-moved.event.js';
import { followsChanged } from '../sources/follows-changed.event.js';
import { sourceFailing } from '../sources/source-failing.event.js';

const MAX_REMEMBERED = 1_000;

class LiveReader {
  followed: FollowedTitles = new Map();
  /** The stream resumes at this id, the greatest that the client knows. Undefined until it has begun. */
  seenUpTo: string | undefined;
  /** Ids sent last, oldest first. A resumed stream finds some of them again, and an event may arrive after the catch-up. */
  private readonly sent = new Set<string>();

  constructor(
    readonly userId: string,
    readonly stream: EventStream,
  ) {}

  wasSent(postId: string): boolean {
    return this.sent.has(postId);
  }

  send(item: FeedItem): void {
    this.stream.send({ event: 'post', id: item.id, data: item });
    if (BigInt(item.id) > BigInt(this.seenUpTo ?? 0)) this.seenUpTo = item.id;
    this.sent.add(item.id);
    for (const oldest of this.sent) {
      if (this.sent.size <= MAX_REMEMBERED) break;
      this.sent.delete(oldest);
    }
  }

  /** Nobody can have read or starred a post that was just stored. */
  sendNew(post: TimelinePost): void {
    const title = this.followed.get(post.sourceId);
    if (title === undefined || this.wasSent(post.id)) return;
    this.send(personalised(post, { title, read: false, starred: false }));
  }

  sendFailing(sourceId: string): void {
    if (this.followed.has(sourceId)) this.stream.send({ event: 'source-failing', data: { sourceId } });
  }

  /** The client must read its feed again, because it missed more than is sent post by post. */
  reset(): void {
    this.stream.send({ event: 'reset', data: {} });
  }
}

const FEED = { name: 'feed', limit: userLimit(`You may have ${MAX_STREAMS_PER_USER} streams open at a time.`) };
/** Beyond these limits on missed posts and their bytes, the client gets a `reset`. */
export const MAX_MISSED = 500;
export const MAX_MISSED_BYTES = 1_048_576;
/** Beyond this number of waiting tasks, clients get a `reset`. */
const MAX_WAITING = 10_000;
/** Milliseconds between two records that readers with an open stream are active. */
const ACTIVITY_INTERVAL_MS = 15_000;

/** New posts, new streams and changed follows are handled one after another, so that no post is missed between them. */
@Injectable()
export class LiveFeed implements OnModuleInit, OnModuleDestroy {
  private readonly readers = new Set<LiveReader>();
  private lastTask: Promise<void> = Promise.resolve();
  private waiting = 0;

  constructor(
    private readonly hub: LiveHub,
    private readonly events: Events,
    private readonly store: TimelineStore,
    private readonly activity: Activity,
    private readonly periodic: Periodic,
  ) {}

  onModuleInit() {
    this.events.subscribe(postsChanged, ({ sourceId, newPostIds }) => {
      if (newPostIds.length) this.enqueue(() => this.sendPosts(sourceId, newPostIds));
    });
    this.events.subscribe(followsChanged, ({ userId }) =>
      this.enqueue(() => this.reloadFollows((one) => one.userId === userId)),
    );
    this.events.subscribe(followersMoved, ({ from }) =>
      this.enqueue(() => this.reloadFollows((one) => one.followed.has(from))),
    );
    this.events.subscribe(sourceFailing, ({ sourceId }) =>
      this.enqueue(async () => {
        for (const reader of this.readers) reader.sendFailing(sourceId);
      }),
    );
    this.events.onReconnect(() => this.enqueue(() => this.catchUp()));
    this.periodic.everyHere(ACTIVITY_INTERVAL_MS, 'activity of live readers', async () => this.recordActivity());
  }

  async onModuleDestroy() {
    await this.lastTask;
  }

  open({ userId, lastEventId }: { userId: string; lastEventId: string | undefined }, exchange: Exchange): void {
    const stream = this.hub.open(FEED, userId, exchange);
    if (!stream) return;
    const reader = new LiveReader(userId, stream);
    this.readers.add(reader);
    stream.onClose(() => this.readers.delete(reader));
    this.enqueue(
      () => this.begin(reader, lastEventId),
      () => stream.end(),
    );
  }

  recordActivity(): void {
    for (const { userId } of this.readers) this.activity.seen(userId);
  }

  private enqueue(task: () => Promise<void>, onFailure: () => void = () => this.resetAll()): void {
    if (!this.readers.size) return;
    if (this.waiting >= MAX_WAITING) {
      onFailure();
      return;
    }
    this.waiting += 1;
    this.lastTask = this.lastTask
      .then(task)
      .catch((err) => {
        this.hub.logFailure(FEED.name, { err });
        onFailure();
      })
      .finally(() => {
        this.waiting -= 1;
      });
  }

  private async begin(reader: LiveReader, lastEventId: string | undefined): Promise<void> {
    const seenUpTo = lastEventId ?? (await this.store.newestId());
    reader.followed = this.followedBy(reader.userId) ?? (await this.store.followedTitles(reader.userId));
    if (lastEventId !== undefined) await this.resume(reader, lastEventId);
    reader.seenUpTo ??= seenUpTo;
  }

  private async resume(reader: LiveReader, afterId: string): Promise<void> {
    const stored = await this.store.storedAfter(reader.userId, afterId, MAX_MISSED + 1);
    const missed = stored.filter(({ id }) => !reader.wasSent(id));
    const bytes = missed.reduce((sum, post) => sum + post.bytes, 0);
    if (stored.length > MAX_MISSED || bytes > MAX_MISSED_BYTES) return reader.reset();
    const posts = await this.store.find(missed.map(({ id }) => id));
    for (const item of await this.store.asReadBy(reader.userId, posts.toSorted(byId))) reader.send(item);
  }

  private async sendPosts(sourceId: string, postIds: string[]): Promise<void> {
    if (![...this.readers].some(({ followed }) => followed.has(sourceId))) return;
    const posts = await this.store.find(postIds);
    for (const post of posts.toSorted(byId)) {
      for (const reader of this.readers) reader.sendNew(post);
      // The sockets write large posts out before the next one is buffered.
      await setImmediate();
    }
  }

  private async reloadFollows(isAffected: (reader: LiveReader) => boolean): Promise<void> {
    const readers = [...this.readers].filter(isAffected);
    for (const userId of new Set(readers.map((reader) => reader.userId))) {
      const followed = await this.store.followedTitles(userId);
      for (const reader of readers) if (reader.userId === userId) reader.followed = followed;
    }
  }

  /** A hundred thousand follows are loaded once, however many streams are open. */
  private followedBy(userId: string): FollowedTitles | undefined {
    for (const reader of this.readers)
      if (reader.userId === userId && reader.seenUpTo !== undefined) return reader.followed;
    return undefined;
  }

  /** Events about follows may have been missed, too. */
  private async catchUp(): Promise<void> {
    await this.reloadFollows(() => true);
    for (const reader of this.readers) if (reader.seenUpTo) await this.resume(reader, reader.seenUpTo);
  }

  private resetAll(): void {
    for (const reader of this.readers) reader.reset();
  }
}

const byId = (a: { id: string }, b: { id: string }) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1);

type FollowedTitles = Map<string, string | null>;
