import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import zlib from 'node:zlib';
import { AddressGuard } from '../../src/platform/http/address-guard.js';
import { firstHop } from '../../src/platform/http/hop.js';
import { limitsFor, TimeAllowance } from '../../src/platform/http/request-limits.js';
import { Wire } from '../../src/platform/http/wire.js';
import { seededRandom } from '../program/seeded-random.js';

/** How a server answers: what it sends, in which pieces, and how the connection ends. */
interface Shape {
  bodyBytes: number;
  encoding: string;
  /** How the end of the body is marked. */
  framing: 'length' | 'chunked' | 'until-close' | 'length-too-long' | 'length-too-short' | 'chunked-cut';
  pieceBytes: number;
  status: number;
  head: 'plain' | 'early-hints' | 'redirect' | 'upgrade';
  /** What happens after the last byte. */
  end: 'close' | 'keep' | 'reset' | 'half-sent-close' | 'half-sent-reset';
}

export interface ShapesReport {
  shapes: number;
  /** Number of answers that were read completely. */
  whole: number;
  /** Number of failed answers by the code of the error. */
  failed: Record<string, number>;
  /** Answers that were not read although they should have been, or were read wrongly. */
  wrong: string[];
  peakGrowthMb: number;
}

const MAX_BYTES = 2_000_000;
const CONCURRENCY = 8;
const ENCODERS: Record<string, (body: Buffer) => Buffer> = {
  identity: (body) => body,
  gzip: (body) => zlib.gzipSync(body, { level: 1 }),
  deflate: (body) => zlib.deflateSync(body, { level: 1 }),
  br: (body) => zlib.brotliCompressSync(body, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }),
  'gzip, gzip': (body) => zlib.gzipSync(zlib.gzipSync(body, { level: 1 }), { level: 1 }),
  // Declares an encoding that it does not use.
  'gzip;broken': (body) => body,
};

async function readShapes(seed: number, count: number): Promise<ShapesReport> {
  const random = seededRandom(seed);
  const shapes = [...KNOWN, ...Array.from({ length: count }, () => randomShape(random))];
  const noise = noiseFrom(random);
  const server = createServer((socket) => serve(socket, shapes, noise)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const report: ShapesReport = { shapes: shapes.length, whole: 0, failed: {}, wrong: [], peakGrowthMb: 0 };
  const before = process.memoryUsage.rss();
  const watch = setInterval(() => {
    report.peakGrowthMb = Math.max(report.peakGrowthMb, (process.memoryUsage.rss() - before) / 1e6);
  }, 10);
  const wire = new Wire(
    new AddressGuard({ networks: ['127.0.0.1'], ports: [] }, async () => [{ address: '127.0.0.1', family: 4 }]),
    'test',
  );
  const queue = shapes.map((shape, index) => ({ shape, index }));
  const read = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await readOne({ ...next, port, wire, noise, report });
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, read));
  // An ended connection affects the process within the next turns of the event loop, if at all.
  await sleep(200);
  clearInterval(watch);
  await wire.close();
  server.close();
  return report;
}

interface Trial {
  shape: Shape;
  index: number;
  port: number;
  wire: Wire;
  noise: Buffer;
  report: ShapesReport;
}

async function readOne({ shape, index, port, wire, noise, report }: Trial): Promise<void> {
  // An answer that never ends is awaited only briefly. One that ends may take long on a busy machine.
  const total = isReadable(shape) ? 60_000 : 3_000;
  const limits = limitsFor({ maxBytes: MAX_BYTES, timeouts: { total, headers: total, body: total } });
  // Its own host, because a connection that another answer has left behind may be reset.
  const hop = firstHop(`http://shape${index}.example:${port}/${index}`, {});
  try {
    const answer = await wire.exchange(hop, { limits, time: new TimeAllowance(limits.timeouts.total, undefined) });
    report.whole += 1;
    const expected = shape.head === 'redirect' ? Buffer.alloc(0) : noise.subarray(0, shape.bodyBytes);
    // A body that ends with its connection counts as complete, however the connection ends.
    const isReset = shape.framing === 'until-close' && shape.end === 'reset';
    const isCut = isReset || shape.framing === 'length-too-short' || shape.end.startsWith('half-sent');
    if (!isCut && !answer.body.equals(expected)) report.wrong.push(`${describe(shape)}: ${answer.body.length} bytes`);
  } catch (error) {
    const { code = 'UNKNOWN', message } = error as Error & { code?: string };
    report.failed[code] = (report.failed[code] ?? 0) + 1;
    if (isReadable(shape)) report.wrong.push(`${describe(shape)}: ${message}`);
  }
}

const describe = (shape: Shape) => JSON.stringify(shape);

function isReadable({ bodyBytes, framing, end, encoding, head }: Shape): boolean {
  const isHonest = framing === 'length' || framing === 'chunked' || framing === 'until-close';
  const isWhole = end === 'close' || (end === 'keep' && framing !== 'until-close');
  return isHonest && isWhole && head !== 'upgrade' && encoding !== 'gzip;broken' && bodyBytes <= MAX_BYTES;
}

const WHOLE = { framing: 'length', pieceBytes: 1e9, status: 200, head: 'plain', end: 'close' } as const;
/** Compressed answers that ended the process with undici's own body streams, at the size where they began to. */
const KNOWN: Shape[] = [120_000, 200_000, 234_000, 300_000, 700_000, 1_500_000].flatMap((bodyBytes) =>
  ['gzip', 'br', 'deflate', 'identity'].map((encoding) => ({ ...WHOLE, bodyBytes, encoding })),
);

function randomShape(random: () => number): Shape {
  const pick = <T>(...options: T[]): T => options[Math.floor(random() * options.length)] as T;
  const magnitude = pick(0, 100, 20_000, 200_000, 400_000, 1_000_000, 3_000_000);
  return {
    bodyBytes: Math.floor(magnitude * random()),
    encoding: pick(...Object.keys(ENCODERS)),
    framing: pick(
      'length',
      'length',
      'chunked',
      'chunked',
      'until-close',
      'length-too-long',
      'length-too-short',
      'chunked-cut',
    ),
    pieceBytes: pick(1e9, 1e9, 100_000, 16_384, 1_000),
    status: pick(200, 200, 404, 503),
    head: pick('plain', 'plain', 'plain', 'plain', 'early-hints', 'redirect', 'upgrade'),
    end: pick('close', 'close', 'keep', 'reset', 'half-sent-close', 'half-sent-reset'),
  };
}

/** Half of it compresses well, as feeds do. The other half keeps a compressed body large. */
function noiseFrom(random: () => number): Buffer {
  return Buffer.from(Uint8Array.from({ length: 3_000_000 }, (_, at) => (at % 8 ? Math.floor(random() * 256) : 65)));
}

function serve(socket: Socket, shapes: Shape[], noise: Buffer): void {
  socket.on('error', () => undefined);
  let asked = '';
  socket.on('data', (bytes) => {
    asked += bytes;
    const path = /^GET \/(\d+) [\s\S]*\r\n\r\n$/.exec(asked)?.[1];
    if (path === undefined) return;
    asked = '';
    const shape = shapes[Number(path)];
    if (shape) void answer(socket, shape, noise);
  });
}

async function answer(socket: Socket, shape: Shape, noise: Buffer): Promise<void> {
  const encoded = ENCODERS[shape.encoding]?.(noise.subarray(0, shape.bodyBytes)) ?? Buffer.alloc(0);
  const bytes = Buffer.concat([headOf(shape, encoded.length), framed(shape, encoded)]);
  const sent = shape.end.startsWith('half-sent') ? bytes.subarray(0, Math.ceil(bytes.length / 2)) : bytes;
  const isOnePiece = shape.pieceBytes >= sent.length;
  for (let at = 0; at < sent.length && !socket.destroyed; at += shape.pieceBytes) {
    socket.write(sent.subarray(at, at + shape.pieceBytes));
    // Long enough to arrive as separate pieces.
    if (!isOnePiece && at < 50 * shape.pieceBytes) await sleep(0);
  }
  if (shape.end.endsWith('reset')) socket.resetAndDestroy();
  else if (shape.end !== 'keep' || shape.framing === 'until-close') socket.end();
}

function headOf({ status, head, framing, encoding, end }: Shape, length: number): Buffer {
  const claimed = { length, 'length-too-long': length + 1_000, 'length-too-short': Math.max(0, length - 1_000) };
  const lines = [
    `HTTP/1.1 ${head === 'redirect' ? 302 : head === 'upgrade' ? 101 : status} X`,
    `content-encoding: ${encoding.replace(';broken', '')}`,
    ...(framing in claimed ? [`content-length: ${claimed[framing as keyof typeof claimed]}`] : []),
    ...(framing.startsWith('chunked') ? ['transfer-encoding: chunked'] : []),
    ...(head === 'redirect' ? ['location: /elsewhere'] : []),
    ...(head === 'upgrade' ? ['connection: upgrade', 'upgrade: websocket'] : []),
    ...(end === 'close' && head !== 'upgrade' ? ['connection: close'] : []),
  ];
  const hints = head === 'early-hints' ? 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n' : '';
  return Buffer.from(`${hints}${lines.join('\r\n')}\r\n\r\n`);
}

function framed({ framing, pieceBytes }: Shape, encoded: Buffer): Buffer {
  if (!framing.startsWith('chunked')) return encoded;
  const size = Math.min(pieceBytes, 60_000);
  const parts: Buffer[] = [];
  for (let at = 0; at < encoded.length; at += size) {
    const part = encoded.subarray(at, at + size);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  if (framing === 'chunked') parts.push(Buffer.from('0\r\n\r\n'));
  return Buffer.concat(parts);
}

/** Usage: `fork read-answer-shapes.js <seed> <count>`. Reads random answers from a raw socket and reports how that ended. */
const [seed, count] = process.argv.slice(2).map(Number);
process.send?.(await readShapes(seed ?? 1, count ?? 200));
