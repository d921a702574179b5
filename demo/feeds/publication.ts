import type { Subject } from '../text/subject.js';

/** How a publication's address behaves. */
export type Habit =
  | 'moved' // has a new address for good
  | 'gone' // answers 410
  | 'fails' // answers 500 or nothing, now and then
  | 'slow'
  | 'broken' // writes XML that is none
  | 'busy' // asks to be left alone now and then
  | 'page'; // is known by its web page, which names the feed

/** When something new appears while the demo runs. */
export type Rhythm =
  | { everySeconds: number }
  /** So many at once. */
  | { everySeconds: number; burst: number }
  | 'silent';

export interface Publication {
  /** Its host is this and `.localhost`. */
  slug: string;
  title: string;
  place: string;
  subject: Subject;
  format: 'rss' | 'atom' | 'json' | 'rdf';
  rhythm: Rhythm;
  /** What was there before the demo began, and how far apart. */
  past: { posts: number; everyHours: number };
  habit?: Habit;
  /** Pages behind the first, linked from one to the next. */
  hasArchive?: boolean;
  folder: string;
}

/** Posts on a page of a feed. */
export const PAGE = 20;
