import { decodeCharset } from './decode-charset.js';
import type { Hop, Validators } from './hop.js';
import { permanentUrl, type Redirect } from './redirect.js';
import type { Answer } from './wire.js';

export interface HttpResponse {
  status: number;
  /** Where the response came from in the end. */
  url: string;
  /** Names in lower case; a header sent several times is joined by commas. */
  headers: Record<string, string>;
  /** Content encodings are undone. */
  body: Buffer;
  /** The body in the charset that it says or seems to be in. */
  text(): string;
  /** What to send next time: after a 304 also what was sent this time. */
  validators: Validators;
  /** When the server refused and said when to come back. */
  retryAfter: Date | undefined;
  redirects: Redirect[];
  /** Where the page has moved for good. */
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
