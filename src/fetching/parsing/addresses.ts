import { canParseUrl } from '../../platform/can-parse-url.js';
/** Undefined for anything but http(s), and for a relative URL without a base. */
export function webAddress(text: string | null | undefined, base?: string): string | undefined {
  const trimmed = text?.trim();
  if (!trimmed || !canParseUrl(trimmed, base)) return undefined;
  const url = new URL(trimmed, base);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}

/** Protocols beside http that people can open. None of them acts on the page that shows the link. */
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

export function otherAddress(text: string | null | undefined): string | undefined {
  const trimmed = text?.trim();
  if (!trimmed || !canParseUrl(trimmed)) return undefined;
  const url = new URL(trimmed);
  return OTHER_PROTOCOLS.has(url.protocol) ? url.href : undefined;
}

export function innerBase(base: string, own: string | undefined): string {
  return webAddress(own, base) ?? base;
}
