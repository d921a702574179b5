import { Injectable } from '@nestjs/common';
import { encodeCursor, type Page } from '../platform/api/list-query.js';
import { Cache } from '../platform/cache/cache.js';
import { ApiError } from '../platform/errors/api-error.js';
import type { FeedItem } from './feed-item.js';
import { type Stretch, type TimelineFilter, type TimelinePost, TimelineStore } from './timeline.store.js';
import { TimelineChanges } from './timeline-changes.js';
import { positionAfter } from './timeline-position.js';
import type { Standing } from './timeline-queries.js';

/** Sizes of cached first pages. A smaller page is the beginning of one. */
const CACHED_SIZES = [50, 100];

interface CachedPage {
  standing: Standing;
  /** Contains one more post than the page size if there are more. */
  posts: TimelinePost[];
}

/** Read marks and stars are never cached. */
@Injectable()
export class Timeline {
  constructor(
    private readonly store: TimelineStore,
    private readonly changes: TimelineChanges,
    private readonly cache: Cache,
  ) {}

  async page(userId: string, filter: TimelineFilter, stretch: Stretch): Promise<Page<FeedItem>> {
    const { source, folder, q, unread, starred } = filter;
    if (source !== undefined) await this.requireFollowed(userId, source);
    const narrowed = folder !== undefined || q !== undefined || unread || starred;
    if (source !== undefined && !narrowed) return this.asPage(userId, await this.sourcePosts(source, stretch), stretch);
    const beyond = { ...stretch, limit: stretch.limit + 1 };
    const whole = source === undefined && !narrowed && !stretch.after;
    const posts = whole ? await this.newest(userId, stretch.limit) : await this.store.list(userId, filter, beyond);
    return this.asPage(userId, posts, stretch);
  }

  async requireFollowed(userId: string, sourceId: string): Promise<void> {
    if (await this.store.follows(userId, sourceId)) return;
    throw new ApiError('not_found', `You follow no source ${sourceId}.`);
  }

  private newest(userId: string, limit: number): Promise<TimelinePost[]> {
    const size = cachedSize(limit);
    return this.cached(`timeline:${userId}:${size}`, {
      standing: () => this.store.standingOf({ userId }),
      posts: () => this.store.list(userId, {}, { limit: size + 1 }),
      userId,
    });
  }

  private async sourcePosts(sourceId: string, stretch: Stretch): Promise<TimelinePost[]> {
    if (stretch.after) return this.store.ofSource(sourceId, { ...stretch, limit: stretch.limit + 1 });
    const size = cachedSize(stretch.limit);
    return this.cached(`source:${sourceId}:${size}`, {
      standing: () => this.store.standingOf({ sourceId }),
      posts: () => this.store.ofSource(sourceId, { limit: size + 1 }),
    });
  }

  /** Revisions are read before the posts, so that a change in between makes cached posts look older, never newer. */
  private async cached(key: string, { standing, posts, userId }: Parts): Promise<TimelinePost[]> {
    await this.changes.ready();
    const cached = await this.cache.read<CachedPage>(key, {
      isGood: (value) => this.changes.holds(value.standing, userId),
      build: async () => ({ standing: await standing(), posts: await posts() }),
    });
    return cached.posts;
  }

  private async asPage(userId: string, posts: TimelinePost[], { limit }: Stretch): Promise<Page<FeedItem>> {
    const shown = posts.slice(0, limit);
    const items = await this.store.asReadBy(userId, shown);
    return { items, nextCursor: posts.length > limit ? encodeCursor(positionAfter(shown)) : null };
  }
}

interface Parts {
  standing: () => Promise<Standing>;
  posts: () => Promise<TimelinePost[]>;
  userId?: string;
}

const cachedSize = (limit: number) => CACHED_SIZES.find((size) => size >= limit) ?? limit;
