import { OutgoingRequestError } from './outgoing-request-error.js';
import { parseWebAddress, spelledOrigin } from './web-address.js';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a server told about a version of a page, to ask it later whether there is a newer one. */
export interface Validators {
  etag?: string | undefined;
  lastModified?: string | undefined;
}

export interface Asking {
  method?: Method | undefined;
  headers?: Record<string, string> | undefined;
  body?: string | Uint8Array | undefined;
  validators?: Validators | undefined;
}

/** One request on the way to a response; each redirect makes another. */
export interface Hop {
  /** Without credentials: those are in the headers. */
  url: URL;
  method: Method;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
  /** How error messages begin. Paths and queries may hold secrets and stay out of it. */
  label: string;
}

export function firstHop(text: string, { method = 'GET', headers = {}, body, validators = {} }: Asking): Hop {
  const address = parseWebAddress(text);
  // The text stays out of the message: any part of it may be a secret.
  if (!address) throw new OutgoingRequestError('INVALID_URL', 'this is no http or https address');
  const { url, authorization } = address;
  return {
    url,
    method,
    headers: given({
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

function given(headers: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter((header): header is [string, string] => !!header[1]));
}
