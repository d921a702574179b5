import { domainToASCII } from 'node:url';
import { getDomain } from 'tldts';

const MAX_LENGTH = 254;
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
/** Names of high-resolution images (logo@2x.png) look like e-mail addresses. */
const FILE = /\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|js|woff2?)$/;

/** Returns an e-mail address in lower case and ASCII, from a plain address, a mailto: link or `Name <address>`. */
export function readEmail(text: string): string | undefined {
  const start = text.slice(0, MAX_LENGTH * 4);
  const [, inner = start] = /<([^<>]+)>\s*$/.exec(start) ?? [];
  const address = inner
    .trim()
    .toLowerCase()
    .replace(/^mailto:/, '')
    .replace(/\?.*$/s, '')
    .trim()
    .replace(/[.,;]+$/, '');
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  const host = domainToASCII(address.slice(at + 1));
  if (at < 1 || at > 64 || !LOCAL_PART.test(local)) return undefined;
  if (!getDomain(host) || FILE.test(host)) return undefined;
  const email = `${local}@${host}`;
  return email.length <= MAX_LENGTH ? email : undefined;
}
