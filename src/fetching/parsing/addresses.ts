import { canParseUrl } from '../../platform/can-parse-url.js';
/** Absolute http(s) address of what may be relative to `base`, or is absolute itself where there is none; else nothing. */
export function webAddress(text: string | null | undefined, base?: string): string | undefined {
  const trimmed = text?.trim();
  if (!trimmed || !canParseUrl(trimmed, base)) return undefined;
  const url = new URL(trimmed, base);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}

/** Of what people can open beside web pages. Nothing that acts on the page which shows the link. */
const OTHER_PROTOCOLS = new Set([
  'ftp:',
  'ftps:',
  'sftp:',
  'gopher:',
  'gemini:',
  'magnet:',
  'mailto:',
  'news:',
  'nntp:',
]);

/** An address of another kind than a web page's. */
export function otherAddress(text: string | null | undefined): string | undefined {
  const trimmed = text?.trim();
  if (!trimmed || !canParseUrl(trimmed)) return undefined;
  const url = new URL(trimmed);
  return OTHER_PROTOCOLS.has(url.protocol) ? url.href : undefined;
}

/** The base that holds inside of an element, whose own `xml:base` may be relative or nonsense. */
export function innerBase(base: string, own: string | undefined): string {
  return webAddress(own, base) ?? base;
}
