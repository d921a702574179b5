import { createHmac, timingSafeEqual } from 'node:crypto';

const METHODS = new Set(['sha1', 'sha256', 'sha384', 'sha512']);

/** The header is `X-Hub-Signature: sha256=…` over the unparsed body. */
export function isSigned(body: Uint8Array, secret: string, header: string | undefined): boolean {
  const [, method = '', digest = ''] = /^\s*(\w+)=([0-9a-f]+)\s*$/i.exec(header ?? '') ?? [];
  if (!METHODS.has(method.toLowerCase())) return false;
  const expected = createHmac(method.toLowerCase(), secret).update(body).digest();
  const given = Buffer.from(digest, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
