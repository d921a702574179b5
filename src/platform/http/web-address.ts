import { unescape as percentDecode } from 'node:querystring';
import { canParseUrl } from '../can-parse-url.js';

interface WebAddress {
  url: URL;
  authorization: string | undefined;
}

export function parseWebAddress(text: string, base?: URL): WebAddress | undefined {
  if (!canParseUrl(text, base?.href)) return undefined;
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  const authorization = basicAuthorization(url);
  url.username = '';
  url.password = '';
  return { url, authorization };
}

export function withCredentialsOf(given: URL, address: string): string {
  const url = new URL(address);
  if (url.origin !== given.origin) return address;
  url.username = given.username;
  url.password = given.password;
  return url.href;
}

/** Returns the origin as it was written, which may look harmless where the parsed one does not. */
export function spelledOrigin(text: string): string | undefined {
  const [, protocol, host] = /^\s*(https?:\/\/)(?:[^/?#\\]*@)?([^/?#\\\s]+)/i.exec(text) ?? [];
  return host && `${protocol}${host}`;
}

function basicAuthorization({ username, password }: URL): string | undefined {
  if (!username && !password) return undefined;
  return `Basic ${Buffer.from(`${percentDecode(username)}:${percentDecode(password)}`).toString('base64')}`;
}

export function joinUrl(base: string, path: string): URL {
  return new URL(base.endsWith('/') ? `${base}${path}` : `${base}/${path}`);
}
