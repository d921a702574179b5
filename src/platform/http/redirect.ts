import { isUtf8 } from 'node:buffer';
import type { Hop } from './hop.js';
import { RequestFault } from './outgoing-request-error.js';
import { parseWebAddress, spelledOrigin } from './web-address.js';

export interface Redirect {
  status: number;
  from: string;
  to: string;
}

const STATUSES = [301, 302, 303, 307, 308];
const PERMANENT_STATUSES = [301, 308];
/** Only these headers are sent to another site. Any other header may be a secret meant for the first one. */
const CROSS_SITE_HEADERS = /^(accept|accept-language|cache-control|content-.*|if-.*|range)$/;

export function isRedirect(status: number, location: string | undefined): location is string {
  return STATUSES.includes(status) && !!location;
}

/** Keeps the validators, which belong to the final page. */
export function nextHop(hop: Hop, status: number, location: string | undefined): Hop | undefined {
  if (!isRedirect(status, location)) return undefined;
  const address = decodeAddress(location);
  const target = parseWebAddress(address, hop.url);
  if (!target) throw new RequestFault('INVALID_URL', 'redirects to something that is no http or https address');
  const { url, authorization } = target;
  const asGet = becomesGet(hop, status);
  const headers = headersFor(hop, { asGet, abroad: url.origin !== hop.url.origin });
  return {
    url,
    method: asGet ? 'GET' : hop.method,
    headers: authorization ? { ...headers, authorization } : headers,
    body: asGet ? undefined : hop.body,
    label: `${spelledOrigin(address) ?? url.origin} (where ${hop.url.origin} redirects)`,
  };
}

export function permanentUrl(redirects: Redirect[]): string | undefined {
  const firstPassing = redirects.findIndex(({ status }) => !PERMANENT_STATUSES.includes(status));
  return redirects.slice(0, firstPassing === -1 ? undefined : firstPassing).at(-1)?.to;
}

/** Header bytes arrive as latin1, but servers that send non-ASCII characters in an address mean UTF-8. */
function decodeAddress(location: string): string {
  const bytes = Buffer.from(location, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : location;
}

function becomesGet({ method }: Hop, status: number): boolean {
  return status === 303 ? method !== 'HEAD' : (status === 301 || status === 302) && method === 'POST';
}

function headersFor(hop: Hop, { asGet, abroad }: { asGet: boolean; abroad: boolean }): Record<string, string> {
  const kept = Object.entries(hop.headers)
    .filter(([name]) => !abroad || CROSS_SITE_HEADERS.test(name))
    .filter(([name]) => !asGet || !name.startsWith('content-'));
  return Object.fromEntries(kept);
}
