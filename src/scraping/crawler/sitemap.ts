import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { decodeCharset } from '../../platform/http/decode-charset.js';

const MAX_BYTES = 10_000_000;
const MAX_ENTRIES = 5_000;
const LOCATION = /<(?:\w{1,20}:)?loc>\s{0,100}(?:<!\[CDATA\[)?([^<>\]]{1,2000})/gi;
const ENTITIES: Record<string, string> = { '&amp;': '&', '&quot;': '"', '&apos;': "'", '&lt;': '<', '&gt;': '>' };

export interface Sitemap {
  /** An index lists further sitemaps instead of pages. */
  isIndex: boolean;
  locations: string[];
}

export function parseSitemap(text: string): Sitemap {
  const locations: string[] = [];
  for (const [, written = ''] of text.matchAll(LOCATION)) {
    if (locations.length >= MAX_ENTRIES) break;
    locations.push(written.trim().replace(/&(?:amp|quot|apos|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity));
  }
  return { isIndex: /<(?:\w{1,20}:)?sitemapindex[\s>]/i.test(text.slice(0, 5_000)), locations };
}

const unzip = promisify(gunzip);

/** Returns undefined if the sitemap is corrupt or too large. */
export async function sitemapText(body: Buffer, contentType: string | undefined): Promise<string | undefined> {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return decodeCharset(body, contentType);
  try {
    return decodeCharset(await unzip(body, { maxOutputLength: MAX_BYTES }));
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
