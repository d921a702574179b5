import { crc32, deflateSync } from 'node:zlib';

/** A grey PNG that every program can show, unless a side is zero or huge. */
export function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const rows = Buffer.alloc((width + 1) * Math.min(height, 64), 0x80);
  for (let row = 0; row < rows.length; row += width + 1) rows[row] = 0;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), named, uint32(crc32(named))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** An icon file with PNG images, whose own sizes count. */
export function ico(...images: Buffer[]): Buffer {
  const head = Buffer.alloc(6 + 16 * images.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let start = head.length;
  for (const [index, image] of images.entries()) {
    head.writeUInt32LE(image.length, 6 + 16 * index + 8);
    head.writeUInt32LE(start, 6 + 16 * index + 12);
    start += image.length;
  }
  return Buffer.concat([head, ...images]);
}

export function gif(width: number, height: number): Buffer {
  const bytes = Buffer.from('GIF89a\0\0\0\0\0\0\0;', 'latin1');
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  return bytes;
}

/** The head of a JPEG up to its frame, after a comment and padding. */
export function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from([0xff, 0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0, 0xff, 0xd9]);
  frame.writeUInt16BE(height, 6);
  frame.writeUInt16BE(width, 8);
  return Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0, 4, 1, 2]), frame]);
}

export function webp(kind: 'VP8X' | 'VP8 ' | 'VP8L', width: number, height: number): Buffer {
  const bytes = Buffer.alloc(40);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(32, 4);
  bytes.write(`WEBP${kind}`, 8, 'latin1');
  if (kind === 'VP8X') {
    bytes.writeUIntLE(width - 1, 24, 3);
    bytes.writeUIntLE(height - 1, 27, 3);
  } else if (kind === 'VP8 ') {
    bytes.writeUInt16LE(width, 26);
    bytes.writeUInt16LE(height, 28);
  } else bytes.writeUInt32LE(((height - 1) << 14) | (width - 1), 21);
  return bytes;
}
