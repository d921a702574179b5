export interface Author {
  username: string;
  displayName: string;
  avatarUrl?: string | undefined;
}

export interface Media {
  url: string;
  type?: string | undefined;
  alt?: string | undefined;
}

export interface Metrics {
  likes?: number | undefined;
  comments?: number | undefined;
  shares?: number | undefined;
}

export interface PostTime {
  publishedAt: Date;
  /** False if the source stated no plausible time, so that `publishedAt` is the time of discovery. */
  dated: boolean;
}

export interface FoundPost {
  /** The source's own id, or one derived from other fields. Never empty. */
  externalId: string;
  url?: string | undefined;
  title?: string | undefined;
  /** HTML as received, not safe to show. */
  content: string;
  contentBase?: string | undefined;
  author: Author;
  media: Media[];
  metrics?: Metrics | undefined;
  /** As stated by the source, however odd; undefined if it is missing or unreadable. */
  publishedAt?: Date | undefined;
  /** Position in the source's document, from 0, if posts before it were left out. */
  place?: number | undefined;
  /** Additional requested fields by name; repeated values are a list. They are not stored with the post. */
  fields?: Record<string, string | string[]> | undefined;
}
