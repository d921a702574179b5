import type { Author, Media, Metrics } from '../../posts/post.js';
import type { Allowance } from '../../sources/fetch-states.table.js';

export interface Channel {
  title?: string | undefined;
  siteUrl?: string | undefined;
  hubUrls: string[];
  selfUrl?: string | undefined;
  olderUrl?: string | undefined;
  allows: Allowance;
  author?: Author | undefined;
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
  /** Dates as written. The first is what the format defines as the publication date. */
  dates: string[];
  /** The content as written: the text between the tags, or the JSON value. For XML it is set only on request. */
  raw?: unknown;
}

export interface FeedText {
  text: string;
  /** True if the text had no characters that had to be removed. Otherwise its bytes may look different from it. */
  isClean?: boolean | undefined;
  base: string;
  /** Whether the items are wanted as written, too. */
  raw: boolean;
}

export interface ReadChannel {
  channel: Channel;
  /** True if all items in the document were parsed. A broken item hides those after it. */
  isWhole: boolean;
  /** True if the document is well-formed and none of its items affects another one. */
  isPlain?: boolean | undefined;
}
