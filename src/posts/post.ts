export interface Author {
  username: string;
  displayName: string;
  avatarUrl?: string | undefined;
}

export interface Media {
  url: string;
  /** A MIME type, where it is known. */
  type?: string | undefined;
  /** What it shows, in words, for those who do not see it. */
  alt?: string | undefined;
}

export interface Metrics {
  likes?: number | undefined;
  comments?: number | undefined;
  shares?: number | undefined;
}

/** A post as a source shows it. */
export interface FoundPost {
  /** The source's own id of it, or one derived from what it does have. Never empty. */
  externalId: string;
  url?: string | undefined;
  title?: string | undefined;
  /** HTML as sent, not safe to show. */
  content: string;
  /** What relative addresses in the content are relative to. */
  contentBase?: string | undefined;
  author: Author;
  media: Media[];
  metrics?: Metrics | undefined;
  /** As the source says it, however odd; undefined where it says none or one that cannot be read. */
  publishedAt?: Date | undefined;
  /** Where it stands in what the source sent, from 0, if posts before it were left out. */
  place?: number | undefined;
  /** What was asked for beside all this, by name; what a source says more than once is a list. Not part of the post. */
  fields?: Record<string, string | string[]> | undefined;
}
