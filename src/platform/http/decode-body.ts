import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { RequestFault } from './outgoing-request-error.js';

export type Decoder = (firstByte: number) => Transform;

/** RFC 9659 allows no larger window on the web, and a larger one would let a server make us allocate more memory. */
const ZSTD_WINDOW_LOG = 23;
const MAX_ENCODINGS = 2;
/** Bytes per chunk of decoder output. Each chunk costs one turn of the event loop. */
const CHUNK_SIZE = 65_536;

const DECODERS: Record<string, Decoder> = {
  gzip: () => zlib.createGunzip({ chunkSize: CHUNK_SIZE }),
  'x-gzip': () => zlib.createGunzip({ chunkSize: CHUNK_SIZE }),
  // Some servers send raw deflate data instead of the zlib format that the name stands for.
  deflate: (firstByte) =>
    (firstByte & 0x0f) === 8
      ? zlib.createInflate({ chunkSize: CHUNK_SIZE })
      : zlib.createInflateRaw({ chunkSize: CHUNK_SIZE }),
  br: () => zlib.createBrotliDecompress({ chunkSize: CHUNK_SIZE }),
  ...zstd(),
};

export const ACCEPT_ENCODING = Object.keys(DECODERS)
  .filter((name) => !name.startsWith('x-'))
  .join(', ');

/** Every layer is counted while it is produced, so a compression bomb is refused after `maxBytes`. */
export async function decodeBody(body: Buffer, decoders: Decoder[], maxBytes: number): Promise<Buffer> {
  if (body.length > maxBytes) throw tooLarge(maxBytes);
  let bytes = body;
  for (const decoder of decoders) bytes = await decode(bytes, decoder, maxBytes);
  return bytes;
}

/** Returns the decoders in the order of application: the last encoding is removed first. */
export function decodersFor(contentEncoding = ''): Decoder[] {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name && name !== 'identity')
    .reverse();
  if (names.length > MAX_ENCODINGS) throw new RequestFault('NETWORK_ERROR', `encoded its answer ${names.length} times`);
  return names.map((name) => {
    const decoder = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
    if (!decoder)
      throw new RequestFault('NETWORK_ERROR', `answered in the unknown content encoding ${JSON.stringify(name)}`);
    return decoder;
  });
}

export function tooLarge(maxBytes: number): RequestFault {
  return new RequestFault('TOO_LARGE', `sent more than ${maxBytes.toLocaleString('en')} bytes`);
}

async function decode(bytes: Buffer, decoder: Decoder, maxBytes: number): Promise<Buffer> {
  const [firstByte] = bytes;
  // An empty body stays empty, because servers announce an encoding even then.
  if (firstByte === undefined) return bytes;
  const decoded = new GrowingBuffer();
  const stream = decoder(firstByte).end(bytes);
  for await (const chunk of stream) {
    decoded.append(chunk);
    if (decoded.length > maxBytes) throw tooLarge(maxBytes);
  }
  return decoded.toBuffer();
}

/** A list of chunks would cost a hundred times what a server sends that sends one byte at a time. */
export class GrowingBuffer {
  length = 0;
  private bytes = Buffer.allocUnsafe(16_384);

  append(chunk: Uint8Array): void {
    const length = this.length + chunk.length;
    if (length > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, this.bytes.length * 2));
      this.bytes.copy(larger, 0, 0, this.length);
      this.bytes = larger;
    }
    this.bytes.set(chunk, this.length);
    this.length = length;
  }

  toBuffer(): Buffer {
    const bytes = Buffer.allocUnsafeSlow(this.length);
    this.bytes.copy(bytes, 0, 0, this.length);
    return bytes;
  }
}

/** Node.js has zstd since 22.15, but the types for Node.js 20 do not declare it. */
function zstd(): Record<string, Decoder> {
  const { createZstdDecompress, constants }: Record<string, unknown> = { ...zlib };
  if (typeof createZstdDecompress !== 'function') return {};
  const { ZSTD_d_windowLogMax } = constants as { ZSTD_d_windowLogMax: number };
  return {
    zstd: () => createZstdDecompress({ chunkSize: CHUNK_SIZE, params: { [ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } }),
  };
}
