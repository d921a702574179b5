import { randomBytes } from 'node:crypto';
import type { MediaFile } from '../platform.js';

/** A form with one file in it. */
export function multipart(field: string, { bytes, type, name }: MediaFile): { type: string; body: Uint8Array } {
  const boundary = `millrace-${randomBytes(16).toString('hex')}`;
  const head = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="${field}"; filename="${quotable(name)}"`,
    `Content-Type: ${quotable(type)}`,
    '\r\n',
  ].join('\r\n');
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}

/** Names come from other people's addresses and headers. */
const quotable = (text: string) => text.toWellFormed().replace(/[\p{Cc}"\\]/gu, '_');
