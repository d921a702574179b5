import { unescape as percentDecode } from 'node:querystring';
import { canParseUrl } from '../can-parse-url.js';

interface WebAddress {
  /** Without user name and password. */
  url: URL;
  /** `Basic …`, from the user name and password in the address. */
  authorization: string | undefined;
}

/** Takes http and https only. */
export function parseWebAddress(text: string, base?: URL): WebAddress | undefined {
  if (!canParseUrl(text, base?.href)) return undefined;
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  const authorization = basicAuthorization(url);
  url.username = '';
  url.password = '';
  return { url, authorization };
}

/** An address that another one led to. User and password stay within a site; they are not for another. */
export function withCredentialsOf(given: URL, address: string): string {
  const url = new URL(address);
  if (url.origin !== given.origin) return address;
  url.username = given.username;
  url.password = given.password;
  return url.href;
}

/** The origin as somebody wrote it, which may look harmless where the parsed one does not. */
export function spelledOrigin(text: string): string | undefined {
  const [, protocol, host] = /^\s*(https?:\/\/)(?:[^/?#\\]*@)?([^/?#\\\s]+)/i.exec(text) ?? [];
  return host && `${protocol}${host}`;
}

function basicAuthorization({ username, password }: URL): string | undefined {
  if (!username && !password) return undefined;
  return `Basic ${Buffer.from(`${percentDecode(username)}:${percentDecode(password)}`).toString('base64')}`;
}

/** An address below a configured one, which may have a path of its own, with or without a slash at its end. */
export function under(base: string, path: string): URL {
  return new URL(base.endsWith('/') ? `${base}${path}` : `${base}/${path}`);
}
