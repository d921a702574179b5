import { isPlainSvg } from './plain-svg.js';

export interface Image {
  mime: string;
  bytes: Buffer;
}

interface Size {
  width: number;
  height: number;
}

/** Decoding a larger image costs every client much memory, however few bytes it has. */
const MAX_SIDE = 1_024;

/** The type is read from the bytes, whatever the server said. Undefined: not an image that may be shown as an icon. */
export function readImage(bytes: Buffer): Image | undefined {
  for (const { mime, sizeOf } of RASTER_FORMATS) {
    const size = sizeOf(bytes);
    if (size) return isShowable(size) ? { mime, bytes } : undefined;
  }
  return isPlainSvg(bytes) ? { mime: 'image/svg+xml', bytes } : undefined;
}

const isShowable = ({ width, height }: Size) => width > 0 && height > 0 && width <= MAX_SIDE && height <= MAX_SIDE;

interface RasterFormat {
  mime: string;
  /** Undefined if the bytes are of another format or end too early. */
  sizeOf: (bytes: Buffer) => Size | undefined;
}

const RASTER_FORMATS: RasterFormat[] = [
  { mime: 'image/png', sizeOf: sizeOfPng },
  { mime: 'image/x-icon', sizeOf: sizeOfIco },
  { mime: 'image/gif', sizeOf: sizeOfGif },
  { mime: 'image/jpeg', sizeOf: sizeOfJpeg },
  { mime: 'image/webp', sizeOf: sizeOfWebp },
];

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

function sizeOfPng(bytes: Buffer): Size | undefined {
  if (bytes.length < 24 || !bytes.subarray(0, 8).equals(PNG_SIGNATURE) || textAt(bytes, 12, 4) !== 'IHDR')
    return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

const ICO_ENTRY_BYTES = 16;

/** The size of the largest entry. All entries must lie inside the file. */
function sizeOfIco(bytes: Buffer): Size | undefined {
  if (bytes.length < 6 || bytes.readUInt32LE(0) !== 0x0001_0000) return undefined;
  const count = bytes.readUInt16LE(4);
  if (!count || bytes.length < 6 + count * ICO_ENTRY_BYTES) return undefined;
  let largest = 0;
  for (let at = 6; at < 6 + count * ICO_ENTRY_BYTES; at += ICO_ENTRY_BYTES) {
    const [length, start] = [bytes.readUInt32LE(at + 8), bytes.readUInt32LE(at + 12)];
    if (!length || start + length > bytes.length) return undefined;
    const embedded = sizeOfPng(bytes.subarray(start, start + length));
    // A zero in the directory stands for 256 pixels.
    const sides = embedded ?? { width: bytes[at] || 256, height: bytes[at + 1] || 256 };
    largest = Math.max(largest, sides.width, sides.height);
  }
  return { width: largest, height: largest };
}

function sizeOfGif(bytes: Buffer): Size | undefined {
  if (bytes.length < 10 || !/^GIF8[79]a$/.test(textAt(bytes, 0, 6))) return undefined;
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/** Markers that begin a frame and so contain its size; C4, C8 and CC mean something else. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function sizeOfJpeg(bytes: Buffer): Size | undefined {
  if (bytes.length < 4 || bytes.readUIntBE(0, 3) !== 0xff_d8ff) return undefined;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (isFrame(marker)) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    // Any number of FF may precede a marker.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function sizeOfWebp(bytes: Buffer): Size | undefined {
  if (bytes.length < 30 || textAt(bytes, 0, 4) !== 'RIFF' || textAt(bytes, 8, 4) !== 'WEBP') return undefined;
  switch (textAt(bytes, 12, 4)) {
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    default:
      return undefined;
  }
}

const textAt = (bytes: Buffer, start: number, length: number) => bytes.toString('latin1', start, start + length);
