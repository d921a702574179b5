import { pipeline, Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import { RequestFault } from './request-fault.js';

type Bytes = AsyncIterable<Buffer>;

/** RFC 9659 allows no more on the web; a greater window is memory that a stranger makes us take. */
const ZSTD_WINDOW_LOG = 23;
/** More layers than any server has a reason for. */
const MOST_ENCODINGS = 2;

const DECODERS: Record<string, (firstByte: number) => Transform> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  // Some servers send bare deflate data instead of the zlib format that the name stands for.
  deflate: (firstByte) => ((firstByte & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw()),
  br: () => zlib.createBrotliDecompress(),
  ...zstd(),
};

export const ACCEPT_ENCODING = Object.keys(DECODERS)
  .filter((name) => !name.startsWith('x-'))
  .join(', ');

/** Undoes the content encodings while the bytes come in, and stops as soon as any layer holds more than `maxBytes`. */
export async function decodeBody(body: Bytes, contentEncoding: string | undefined, maxBytes: number): Promise<Buffer> {
  let bytes = capped(body, maxBytes);
  for (const decoder of decodersFor(contentEncoding)) bytes = capped(decoded(bytes, decoder), maxBytes);
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The decoders in the order to apply: what was encoded last comes off first. */
function decodersFor(contentEncoding = '') {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name && name !== 'identity')
    .reverse();
  if (names.length > MOST_ENCODINGS)
    throw new RequestFault('NETWORK_ERROR', `encoded its answer ${names.length} times`);
  return names.map((name) => {
    const decoder = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
    if (!decoder)
      throw new RequestFault('NETWORK_ERROR', `answered in the unknown content encoding ${JSON.stringify(name)}`);
    return decoder;
  });
}

async function* capped(bytes: Bytes, maxBytes: number): Bytes {
  let total = 0;
  for await (const chunk of bytes) {
    total += chunk.length;
    if (total > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

export function tooLarge(maxBytes: number): RequestFault {
  return new RequestFault('TOO_LARGE', `sent more than ${maxBytes.toLocaleString('en')} bytes`);
}

/** An empty body stays empty: servers announce an encoding even then. */
async function* decoded(bytes: Bytes, decoder: (firstByte: number) => Transform): Bytes {
  const iterator = bytes[Symbol.asyncIterator]();
  const first = await iterator.next();
  const firstByte = first.done ? undefined : first.value[0];
  if (firstByte === undefined) return;
  const whole = async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  };
  // An error destroys the decoder, and the loop that reads it throws it.
  yield* pipeline(Readable.from(whole()), decoder(firstByte), () => undefined);
}

/** Node has zstd since 22.15; its types for Node 20 do not know it. */
function zstd(): Record<string, () => Transform> {
  const { createZstdDecompress, constants }: Record<string, unknown> = { ...zlib };
  if (typeof createZstdDecompress !== 'function') return {};
  const { ZSTD_d_windowLogMax } = constants as { ZSTD_d_windowLogMax: number };
  return { zstd: () => createZstdDecompress({ params: { [ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } }) };
}
