import { MAX_EXTERNAL_ID_LENGTH } from '../../following/feed-lists.js';
import { ApiError, type FieldError } from '../../platform/errors/api-error.js';
import { storableText } from '../../platform/jobs/storable.js';
import { keyOf } from '../../sources/sources.store.js';
import type { SourceIdentity } from '../../sources/sources.table.js';
import type { NewFeed } from '../imports.store.js';

export interface GivenFeed {
  url: string;
  title?: string | null | undefined;
  folder?: string | null | undefined;
}

/** Maximum number of errors listed if no feed of a request is usable. */
const MAX_NAMED = 100;

/** Checks the feeds of one request in batches: keeps each source once, and records a reason for unusable ones. */
export class CheckedFeeds {
  duplicates = 0;
  private given = 0;
  private usable = 0;
  private readonly seen = new Set<string>();
  private readonly refused: FieldError[] = [];

  constructor(private readonly identify: (address: string) => SourceIdentity | { reason: string }) {}

  take(feeds: GivenFeed[]): NewFeed[] {
    return feeds.flatMap((feed) => this.takeOne(feed) ?? []);
  }

  /** Unusable feeds are stored beside usable ones. A request with unusable feeds only is rejected. */
  requireUsable(): void {
    if (this.usable) return;
    const detail = `Not one of the ${this.given} feeds can be imported: errors says why.`;
    throw new ApiError('validation_failed', detail, { errors: this.refused });
  }

  private takeOne({ url, title = null, folder = null }: GivenFeed): NewFeed | undefined {
    const at = this.given++;
    const source = this.identify(url.trim());
    const key = 'reason' in source ? url : keyOf(source);
    if (this.seen.has(key)) {
      this.duplicates += 1;
      return undefined;
    }
    this.seen.add(key);
    const given = { url: storableText(url).slice(0, MAX_EXTERNAL_ID_LENGTH).toWellFormed(), folder };
    if ('reason' in source) {
      if (this.refused.length < MAX_NAMED) this.refused.push({ path: `feeds.${at}`, message: source.reason });
      return { ...given, title, type: null, externalId: null, error: source.reason };
    }
    this.usable += 1;
    const { type, externalId } = source;
    return { ...given, title: title === externalId ? null : title, type, externalId, error: null };
  }
}
