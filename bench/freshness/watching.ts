import type { Allowance, FetchState } from '../../src/sources/fetch-states.table.js';
import { fetchState } from '../../test/fetching/fetch-state.js';
import { lastUntil } from './posts.js';
import { SHOWN, type WorldSource } from './world.js';

/** Any priority other than that of a user's request. */
const SCHEDULED = 7;

/** A post that a fetch has found, or came too late for. */
export interface Found {
  published: number;
  /** The number of active followers when the post was published. */
  followers: number;
  lost: boolean;
}

/** A source of the world with the row that the engine keeps for it. */
export class Watching {
  state: FetchState;
  /** The number of posts and follower changes that were processed. */
  private seen = 0;
  private changes = 0;
  private readonly shown: number;

  constructor(readonly source: WorldSource) {
    this.shown = source.shown ?? SHOWN;
    this.state = fetchState({ id: source.id, activeFollowers: 0, jobPriority: SCHEDULED });
  }

  /**
   * Returns the times of new posts that a fetch shows, whether they fill the feed (`cut`), and the minimum interval.
   */
  shows(at: number): { published: number[]; cut: boolean; allows: Allowance } {
    const { posts, minIntervalSeconds: everySeconds } = this.source;
    const end = lastUntil(posts, at) + 1;
    const published = posts.slice(Math.max(this.seen, end - this.shown), end);
    return { published, cut: published.length === this.shown, allows: everySeconds ? { everySeconds } : {} };
  }

  /** Takes the posts that were published since the last call. */
  *take(at: number): Generator<Found> {
    const { posts, followers } = this.source;
    const end = lastUntil(posts, at) + 1;
    for (; this.seen < end; this.seen++) {
      const published = posts[this.seen] ?? 0;
      if (published < 0) continue;
      while ((followers[this.changes]?.at ?? Infinity) <= published) this.changes++;
      const active = followers[this.changes - 1]?.active ?? 0;
      yield { published, followers: active, lost: this.seen < end - this.shown };
    }
  }
}
