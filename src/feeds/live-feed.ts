import { setImmediate } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Activity } from '../auth/users/activity.js';
import type { EventStream } from '../platform/api/event-stream.js';
import { ApiError, tooMany } from '../platform/errors/api-error.js';
import { Events } from '../platform/events/events.js';
import type { Log } from '../platform/log/log.js';
import { LOG } from '../platform/log/log.js';
import type { FeedItem } from '../posts/feed-item.js';
import { postsChanged } from '../posts/posts-changed.event.js';
import { personalised, type TimelinePost, TimelineStore } from '../posts/timeline.store.js';
import { followersMoved } from '../sources/followers-moved.event.js';
import { followsChanged } from '../sources/follows-changed.event.js';
import { sourceFailing } from '../sources/source-failing.event.js';

/** So many of the ids that were sent are remembered. */
const MAX_REMEMBERED = 1_000;

/** A user with a stream open. */
class LiveReader {
  followed: FollowedTitles = new Map();
  /** The greatest id that the client knows of: after a break it is told from there on. Undefined before its first turn. */
  seenUpTo: string | undefined;
  /** What was sent lately, oldest first: what is looked up after a break holds some of it, and news may come late. */
  private readonly sent = new Set<string>();

  constructor(
    readonly userId: string,
    readonly stream: EventStream,
  ) {}

  wasSent(postId: string): boolean {
    return this.sent.has(postId);
  }

  catchUp(items: FeedItem[]): void {
    for (const item of items) this.send(item);
  }

  /** A post that was stored just now: nobody can have read or starred it. */
  tell(post: TimelinePost): void {
    const title = this.followed.get(post.sourceId);
    if (title === undefined || this.wasSent(post.id)) return;
    this.send(personalised(post, { title, read: false, starred: false }));
  }

  tellFailing(sourceId: string): void {
    if (this.followed.has(sourceId)) this.stream.send({ event: 'source-failing', data: { sourceId } });
  }

  /** More was missed than is told one by one: what the client shows must be read anew. */
  reset(): void {
    this.stream.send({ event: 'reset', data: {} });
  }

  private send(item: FeedItem): void {
    this.stream.send({ event: 'post', id: item.id, data: item });
    if (BigInt(item.id) > BigInt(this.seenUpTo ?? 0)) this.seenUpTo = item.id;
    this.sent.add(item.id);
    for (const oldest of this.sent) {
      if (this.sent.size <= MAX_REMEMBERED) break;
      this.sent.delete(oldest);
    }
  }
}

const BEAT_MS = 15_000;
/** Whoever may read is checked when a stream begins: so it ends now and then, and its client comes back. */
const MAX_MS = 30 * 60_000;
const MAX_STREAMS_OF_A_USER = 20;
/** Told one by one after a break; beyond it the client reads anew. */
export const MAX_MISSED = 500;
export const MAX_MISSED_BYTES = 1_048_576;
/** News that waits while the database is slow. */
const MAX_WAITING = 10_000;

/**
 * Tells readers of new posts as they are stored. However many streams are open, a process listens once and loads each post
 * once. News, new streams and changed follows are dealt with one after another, so that none falls between two others.
 */
@Injectable()
export class LiveFeed implements OnModuleInit, OnModuleDestroy {
  private readonly readers = new Set<LiveReader>();
  private turn: Promise<void> = Promise.resolve();
  private waiting = 0;
  private stopped = false;
  private beats: NodeJS.Timeout | undefined;

  constructor(
    private readonly events: Events,
    private readonly store: TimelineStore,
    private readonly activity: Activity,
    @Inject(LOG) private readonly log: Log,
  ) {}

  onModuleInit() {
    this.events.subscribe(postsChanged, ({ sourceId, newPostIds }) => {
      if (newPostIds.length) this.inTurn(() => this.tellOf(sourceId, newPostIds));
    });
    this.events.subscribe(followsChanged, ({ userId }) =>
      this.inTurn(() => this.reload((one) => one.userId === userId)),
    );
    this.events.subscribe(followersMoved, ({ from }) =>
      this.inTurn(() => this.reload((one) => one.followed.has(from))),
    );
    this.events.subscribe(sourceFailing, ({ sourceId }) =>
      this.inTurn(async () => {
        for (const reader of this.readers) reader.tellFailing(sourceId);
      }),
    );
    this.events.onReconnect(() => this.inTurn(() => this.catchUp()));
    this.beats = setInterval(() => this.beat(), BEAT_MS).unref();
  }

  async onModuleDestroy() {
    this.stopped = true;
    clearInterval(this.beats);
    for (const { stream } of this.readers) stream.end();
    await this.turn;
  }

  /** Refuses before anything is sent. */
  admit(userId: string): void {
    if (this.stopped) throw new ApiError('not_ready', 'The server is stopping.');
    const open = [...this.readers].filter((reader) => reader.userId === userId).length;
    if (open < MAX_STREAMS_OF_A_USER) return;
    throw tooMany(`You may have ${MAX_STREAMS_OF_A_USER} streams open at a time.`, BEAT_MS);
  }

  /** Begins with what was stored after the post that the client saw last. */
  open(userId: string, stream: EventStream, lastEventId: string | undefined): void {
    const reader = new LiveReader(userId, stream);
    this.readers.add(reader);
    const end = setTimeout(() => stream.end(), MAX_MS).unref();
    stream.onClose(() => {
      clearTimeout(end);
      this.readers.delete(reader);
    });
    this.inTurn(
      () => this.begin(reader, lastEventId),
      () => stream.end(),
    );
  }

  beat(): void {
    for (const { stream, userId } of this.readers) {
      stream.beat();
      this.activity.seen(userId);
    }
  }

  private inTurn(work: () => Promise<void>, failed: () => void = () => this.resetAll()): void {
    if (!this.readers.size) return;
    if (this.waiting >= MAX_WAITING) {
      failed();
      return;
    }
    this.waiting += 1;
    this.turn = this.turn
      .then(work)
      .catch((err) => {
        this.log.warn({ err }, 'readers could not be told of new posts');
        failed();
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
    reader.catchUp(await this.store.asReadBy(reader.userId, posts.toSorted(byId)));
  }

  private async tellOf(sourceId: string, postIds: string[]): Promise<void> {
    if (![...this.readers].some(({ followed }) => followed.has(sourceId))) return;
    const posts = await this.store.find(postIds);
    for (const post of posts.toSorted(byId)) {
      for (const reader of this.readers) reader.tell(post);
      // What many or large posts come to is sent on its way before there is more.
      await setImmediate();
    }
  }

  private async reload(which: (reader: LiveReader) => boolean): Promise<void> {
    const readers = [...this.readers].filter(which);
    for (const userId of new Set(readers.map((reader) => reader.userId))) {
      const followed = await this.store.followedTitles(userId);
      for (const reader of readers) if (reader.userId === userId) reader.followed = followed;
    }
  }

  /** What another stream of the user knows: a hundred thousand follows are read once, however many streams the user has. */
  private followedBy(userId: string): FollowedTitles | undefined {
    for (const reader of this.readers)
      if (reader.userId === userId && reader.seenUpTo !== undefined) return reader.followed;
    return undefined;
  }

  /** After a break in the news, which may also have been about follows. */
  private async catchUp(): Promise<void> {
    await this.reload(() => true);
    for (const reader of this.readers) if (reader.seenUpTo) await this.resume(reader, reader.seenUpTo);
  }

  private resetAll(): void {
    for (const reader of this.readers) reader.reset();
  }
}

const byId = (a: { id: string }, b: { id: string }) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1);

/** Sources that a user follows, with the user's own titles for them. */
type FollowedTitles = Map<string, string | null>;
