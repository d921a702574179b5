import { decodeCharset } from './decode-charset.js';
import type { Hop, Validators } from './hop.js';
import { permanentUrl, type Redirect } from './redirect.js';
import type { Answer } from './wire.js';

export interface HttpResponse {
  status: number;
  url: string;
  /** Names are in lower case. A repeated header is joined by commas. */
  headers: Record<string, string>;
  body: Buffer;
  text(): string;
  /** The validators for the next request. After a 304 they are those that were sent. */
  validators: Validators;
  retryAfter: Date | undefined;
  redirects: Redirect[];
  permanentUrl: string | undefined;
}

export function toResponse(
  { status, headers, body, retryAfter }: Answer,
  hop: Hop,
  redirects: Redirect[],
): HttpResponse {
  const known = status === 304 ? hop.headers : {};
  return {
    status,
    url: hop.url.href,
    headers,
    body,
    text: () => decodeCharset(body, headers['content-type']),
    validators: {
      etag: headers.etag ?? known['if-none-match'],
      lastModified: headers['last-modified'] ?? known['if-modified-since'],
    },
    retryAfter,
    redirects,
    permanentUrl: permanentUrl(redirects),
  };
}
