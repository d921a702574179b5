import type { Subject } from '../text/subject.js';

/** How a publication's address behaves. */
type Habit =
  | 'moved' // has moved permanently
  | 'gone' // answers 410
  | 'fails' // answers 500 or cuts the connection now and then
  | 'slow'
  | 'broken' // writes invalid XML
  | 'busy' // answers 429 now and then
  | 'page'; // is followed by its web page, which links to the feed

/** When new posts appear while the demo runs. */
export type Rhythm =
  | { everySeconds: number }
  /** Number of posts in a burst. */
  | { everySeconds: number; burst: number }
  | 'silent';

export interface Publication {
  /** The host is `<slug>.localhost`. */
  slug: string;
  title: string;
  place: string;
  subject: Subject;
  format: 'rss' | 'atom' | 'json' | 'rdf';
  rhythm: Rhythm;
  /** Number of posts before the start of the demo, and the hours between them. */
  past: { posts: number; everyHours: number };
  habit?: Habit;
  /** Whether older posts are on further pages, each linked from the one before. */
  hasArchive?: boolean;
  folder: string;
}

/** Posts on a page of a feed. */
export const PAGE = 20;
