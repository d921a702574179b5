import type { EventStream } from '../platform/api/event-stream.js';
import type { FeedItem } from '../posts/feed-item.js';
import { personalised, type TimelinePost } from '../posts/timeline.store.js';

/** Sources that a user follows, with the user's own titles for them. */
export type FollowedTitles = Map<string, string | null>;

/** So many of the ids that were sent are remembered. */
const MOST_REMEMBERED = 1_000;

/** A user with a stream open. */
export class LiveReader {
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
      if (this.sent.size <= MOST_REMEMBERED) break;
      this.sent.delete(oldest);
    }
  }
}
