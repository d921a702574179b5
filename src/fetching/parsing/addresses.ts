/** Addresses that parsing leaves as they are: no port, no numeric or encoded host, no segment that begins with a dot. */
const NORMAL =
  /^https?:\/\/(?:(?!xn--)[a-z\d-]+\.)+(?!xn--)[a-z]{2,63}(?:\/(?!\.|%2[eE])[\w~!$&()*+,;=:@%.-]*)+(?:\?[\w~!$&()*+,;=:@%./-]*)?$/;

/** Undefined for anything but http(s), and for a relative URL without a base. */
export function webAddress(text: string | null | undefined, base?: string): string | undefined {
  const trimmed = text?.trim();
  if (!trimmed) return undefined;
  if (NORMAL.test(trimmed)) return trimmed;
  const url = parsed(trimmed, base);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : undefined;
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
  const url = parsed(text?.trim() ?? '');
  return url && OTHER_PROTOCOLS.has(url.protocol) ? url.href : undefined;
}

export function innerBase(base: string, own: string | undefined): string {
  return webAddress(own, base) ?? base;
}

function parsed(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
