import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ACCEPT_ENCODING, decodeBody, decodersFor } from './decode-body.js';

const text = 'A feed of some length. '.repeat(500);
const limit = 1_000_000;

const decode = async (bytes: Buffer, encoding?: string, maxBytes = limit) =>
  (await decodeBody(bytes, decodersFor(encoding), maxBytes)).toString();

describe('content encodings', () => {
  it.each([
    ['gzip', zlib.gzipSync(text)],
    ['x-gzip', zlib.gzipSync(text)],
    ['GZIP', zlib.gzipSync(text)],
    ['br', zlib.brotliCompressSync(text)],
    ['deflate', zlib.deflateSync(text)],
    ['deflate', zlib.deflateRawSync(text)],
    ['identity', Buffer.from(text)],
    ['deflate, gzip', zlib.gzipSync(zlib.deflateSync(text))],
    ['gzip', Buffer.concat([zlib.gzipSync(text.slice(0, 100)), zlib.gzipSync(text.slice(100))])],
  ])('%s is undone', async (encoding, bytes) => expect(await decode(bytes, encoding)).toBe(text));

  it('a body without encoding is taken as it is', async () => expect(await decode(Buffer.from(text))).toBe(text));

  it('an empty body is empty in any encoding', async () => {
    expect(await decode(Buffer.alloc(0), 'gzip')).toBe('');
    expect(await decode(Buffer.alloc(0), 'br')).toBe('');
  });

  it('only what this Node can undo is asked for', () => {
    const expected = 'createZstdDecompress' in zlib ? 'gzip, deflate, br, zstd' : 'gzip, deflate, br';
    expect(ACCEPT_ENCODING).toBe(expected);
  });

  it.each([
    ['gzip', zlib.gzipSync(text).subarray(0, -20), 'unexpected end of file'],
    ['br', zlib.brotliCompressSync(text).subarray(0, -5), 'unexpected end of file'],
    ['gzip', Buffer.from(text), 'incorrect header check'],
    ['br', Buffer.from(text), 'Decompression failed'],
  ])('broken %s data is an error', async (encoding, bytes, message) => {
    await expect(decode(bytes, encoding)).rejects.toThrow(message);
  });

  it.each(['compress', 'gzip, gzip, gzip', 'constructor', '__proto__'])('%s is refused', async (encoding) => {
    await expect(decode(zlib.gzipSync(text), encoding)).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
  });
});

describe('the cap', () => {
  it('is on the decoded bytes', async () => {
    const bytes = zlib.gzipSync(text);
    expect(await decode(bytes, 'gzip', text.length)).toBe(text);
    await expect(decode(bytes, 'gzip', text.length - 1)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });

  it('is on the bytes of each layer, though the last one may be small', async () => {
    const emptyMembers = Buffer.concat(new Array(5_000).fill(zlib.gzipSync('')));
    expect(await decode(emptyMembers, 'gzip', emptyMembers.length)).toBe('');
    await expect(decode(emptyMembers, 'gzip', emptyMembers.length - 1)).rejects.toMatchObject({ code: 'TOO_LARGE' });
    const hidden = zlib.gzipSync(emptyMembers);
    await expect(decode(hidden, 'gzip, gzip', emptyMembers.length - 1)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });
});
