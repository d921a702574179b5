import type { Author, Media, Metrics } from '../../posts/post.js';
import type { Allowance } from '../../sources/fetch-states.table.js';

/** A feed in any format, its texts and addresses made alike; what is not there is undefined. */
export interface Channel {
  title?: string | undefined;
  siteUrl?: string | undefined;
  hubUrls: string[];
  selfUrl?: string | undefined;
  /** The page of older items (RFC 5005). */
  olderUrl?: string | undefined;
  allows: Allowance;
  /** Of items that name nobody. */
  author?: Author | undefined;
  /** In the document's order, with those that have nothing in them. */
  items: Item[];
}

export interface Item {
  id?: string | undefined;
  url?: string | undefined;
  /** Plain text. */
  title?: string | undefined;
  /** HTML. */
  content?: string | undefined;
  contentBase: string;
  author?: Author | undefined;
  media: Media[];
  metrics?: Metrics | undefined;
  /** As written; the first is what the format means by "published". */
  dates: string[];
  /** As it was written: what stands between its tags, or an object's value. Told of XML only if asked for. */
  raw?: unknown;
}
