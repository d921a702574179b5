import type { FeedItem } from '../posts/feed-item.js';
import { personalised, type TimelinePost } from '../posts/timeline.store.js';
import type { EventStream } from './event-stream.js';

/** Sources that a user follows, with the user's own titles for them. */
export type FollowedTitles = Map<string, string | null>;

/** A user with a stream open. */
export class LiveReader {
  /** What was sent when the stream began, and must not be sent again when the news of it comes. */
  private readonly sent = new Set<string>();

  constructor(
    readonly userId: string,
    readonly stream: EventStream,
    public followed: FollowedTitles,
  ) {}

  catchUp(items: FeedItem[]): void {
    for (const item of items) {
      this.sent.add(item.id);
      this.send(item);
    }
  }

  /** A post that was stored just now: nobody can have read or starred it. */
  tell(post: TimelinePost): void {
    const title = this.followed.get(post.sourceId);
    if (title === undefined || this.sent.has(post.id)) return;
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
  }
}
