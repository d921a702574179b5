import type { Allowance, FetchState } from '../src/sources/fetch-states.table.js';
import { fetchState } from '../test/fetching/fetch-state.js';
import { lastUntil } from './freshness-posts.js';
import type { WorldSource } from './freshness-world.js';

/** What a feed shows. */
const SHOWN = 30;
/** Any that is not the priority of somebody who asks. */
const SCHEDULED = 7;

/** A post that a fetch has found, or come too late for. */
export interface Found {
  published: number;
  /** Active ones, when it was published. */
  followers: number;
  lost: boolean;
}

/** A source as the world knows it, with the row that the engine keeps of it. */
export class Watching {
  state: FetchState;
  /** Posts and changes of followers that were looked at. */
  private seen = 0;
  private changes = 0;

  constructor(readonly source: WorldSource) {
    this.state = fetchState({ id: source.id, activeFollowers: 0, jobPriority: SCHEDULED });
  }

  /** What a fetch shows that was not known, as times; `cut` if that is all that it shows; and how often it may be asked. */
  shows(at: number): { published: number[]; cut: boolean; allows: Allowance } {
    const { posts, minIntervalSeconds: everySeconds } = this.source;
    const end = lastUntil(posts, at) + 1;
    const published = posts.slice(Math.max(this.seen, end - SHOWN), end);
    return { published, cut: published.length === SHOWN, allows: everySeconds ? { everySeconds } : {} };
  }

  /** Takes what was published since the last time. */
  *take(at: number): Generator<Found> {
    const { posts, followers } = this.source;
    const end = lastUntil(posts, at) + 1;
    for (; this.seen < end; this.seen++) {
      const published = posts[this.seen] ?? 0;
      if (published < 0) continue;
      while ((followers[this.changes]?.at ?? Infinity) <= published) this.changes++;
      const active = followers[this.changes - 1]?.active ?? 0;
      yield { published, followers: active, lost: this.seen < end - SHOWN };
    }
  }
}
