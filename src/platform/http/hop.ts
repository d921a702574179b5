import { OutgoingRequestError } from './outgoing-request-error.js';
import { parseWebAddress, spelledOrigin } from './web-address.js';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Validators {
  etag?: string | undefined;
  lastModified?: string | undefined;
}

export interface RequestContent {
  method?: Method | undefined;
  headers?: Record<string, string> | undefined;
  body?: string | Uint8Array | undefined;
  validators?: Validators | undefined;
}

export interface Hop {
  /** The URL without credentials, which are in the headers. */
  url: URL;
  method: Method;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
  /** The beginning of error messages. It contains no path and no query, because they may hold secrets. */
  label: string;
}

export function firstHop(text: string, { method = 'GET', headers = {}, body, validators = {} }: RequestContent): Hop {
  const address = parseWebAddress(text);
  // The text is not part of the message, because any part of it may be secret.
  if (!address) throw new OutgoingRequestError('INVALID_URL', 'this is no http or https address');
  const { url, authorization } = address;
  return {
    url,
    method,
    headers: withoutEmpty({
      accept: '*/*',
      authorization,
      ...lowerCased(headers),
      'if-none-match': validators.etag,
      'if-modified-since': validators.lastModified,
    }),
    body,
    label: spelledOrigin(text) ?? url.origin,
  };
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function withoutEmpty(headers: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter((header): header is [string, string] => !!header[1]));
}
