import type { IncomingHttpHeaders } from 'node:http';
import { canParseUrl } from '../../platform/can-parse-url.js';

/** Where a browser says a request comes from: one of our pages, elsewhere, or it is no (recent) browser. */
export function requestOrigin(headers: IncomingHttpHeaders, publicUrl?: string): 'ours' | 'foreign' | 'unknown' {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none' ? 'ours' : 'foreign';
  const { origin, host } = headers;
  if (origin === undefined) return 'unknown';
  if (publicUrl && origin === new URL(publicUrl).origin) return 'ours';
  return canParseUrl(origin) && new URL(origin).host === host?.toLowerCase() ? 'ours' : 'foreign';
}
