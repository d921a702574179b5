import type { SourceIdentity } from '../sources/sources.table.js';

/**
 * What stands for a source in an OPML document, where only feeds have an address: `xmlUrl` is the feed's own for feeds, and
 * `urn:millrace:source:<type>:<external id, percent-encoded>` for everything else. Other programs keep it or skip it; we know
 * it again. The outline's `type` is the source's.
 */
const PREFIX = 'urn:millrace:source:';
export const FEED_TYPE = 'rss';

export function opmlAddress({ type, externalId }: SourceIdentity): string {
  return type === FEED_TYPE ? externalId : `${PREFIX}${type}:${encodeURIComponent(externalId)}`;
}

/** The source that an `xmlUrl` stands for. Neither checked nor normalised. */
export function sourceAt(xmlUrl: string): SourceIdentity {
  const [, type, encoded = ''] = /^urn:millrace:source:([\w-]+):(.+)$/i.exec(xmlUrl) ?? [];
  if (!type)
    return {
      type: FEED_TYPE,
      externalId: xmlUrl.replace(/^feed:(\/\/)?(?=https?:)/i, '').replace(/^feed:\/\//i, 'http://'),
    };
  return { type, externalId: decoded(encoded) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
