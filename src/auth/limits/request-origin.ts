import type { IncomingHttpHeaders } from 'node:http';
import { canParseUrl } from '../../platform/can-parse-url.js';

/**
 * Returns where the browser says a request comes from: our pages, another site, or unknown for other clients and old
 * browsers.
 */
export function requestOrigin(headers: IncomingHttpHeaders, publicUrl?: string): 'ours' | 'foreign' | 'unknown' {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none' ? 'ours' : 'foreign';
  const { origin, host } = headers;
  if (origin === undefined) return 'unknown';
  if (publicUrl && origin === new URL(publicUrl).origin) return 'ours';
  return canParseUrl(origin) && new URL(origin).host === host?.toLowerCase() ? 'ours' : 'foreign';
}
