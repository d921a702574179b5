import type { Contestant } from '../fetch/contest.js';
import type { Usage, Watched } from '../harness/usage.js';

/** A feed reader with an API that is measured from the outside. */
export interface Reader extends Contestant, Watched {
  name: string;
  /** The process of the application. */
  pid: number;
  /** The resources that one fetch of the last round used. */
  cost: Usage | undefined;
  /** Returns the number of stored entries. */
  entries(): Promise<number>;
  /** Requests the newest page of unread entries. */
  unreadPage(): Promise<Page>;
}

export interface Page {
  entries: number;
  bytes: number;
}

export const PAGE_SIZE = 50;
/** The concurrency of fetches, which is the default of Millrace. */
export const CONCURRENCY = 50;
