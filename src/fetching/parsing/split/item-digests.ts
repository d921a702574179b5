import { hash } from 'node:crypto';

/** Of an item, and of the id that came of it. A source that makes two of its items look alike harms itself alone. */
const DIGEST = 8;
const CONTEXT = 20;
const PAIR = 2 * DIGEST;

/** What the items of a feed looked like, as it is kept; bytes are characters. */
export interface ItemDigests {
  /** Of all around the items that they are read by. */
  context: string;
  /** The digest of the id of each item, by that of the item. */
  ids: Map<string, string>;
}

export function digestOf(part: string | Uint8Array): string {
  return hash('sha1', part, 'binary').slice(0, DIGEST);
}

/** All of the digest: it is compared again and again. */
export function contextDigest(parts: string[]): string {
  return hash('sha1', parts.join('\0'), 'binary');
}

export function keep({ context, ids }: ItemDigests): Uint8Array {
  return Buffer.from(context + [...ids].flat().join(''), 'latin1');
}

export function kept(bytes: Uint8Array): ItemDigests {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const ids = new Map<string, string>();
  for (let at = CONTEXT; at + PAIR <= text.length; at += PAIR) {
    ids.set(text.slice(at, at + DIGEST), text.slice(at + DIGEST, at + PAIR));
  }
  return { context: text.slice(0, CONTEXT), ids };
}
