import type { SourceIdentity } from '../sources/sources.table.js';

/** OPML has addresses for feeds only. Other programs keep or skip this URN of other sources. */
const PREFIX = 'urn:millrace:source:';
export const FEED_TYPE = 'rss';

export function opmlAddress({ type, externalId }: SourceIdentity): string {
  return type === FEED_TYPE ? externalId : `${PREFIX}${type}:${encodeURIComponent(externalId)}`;
}

/** Returns the source of an `xmlUrl`, without checking or normalising it. */
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
