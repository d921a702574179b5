import { deflateSync } from 'node:zlib';
import { SeededRandom } from '../seeded-random.js';

const WIDTH = 320;
const HEIGHT = 180;
const COLOURS = 64;

/** Draws a landscape as a PNG, the same for the same seed and name. */
export function drawPicture(seed: number, name: string): Buffer {
  const random = new SeededRandom(seed, name, 'picture');
  const hue = random.between(0, 359);
  const sun = { x: random.between(40, WIDTH - 40), y: random.between(25, 80), radius: random.between(10, 22) };
  const hills = [0.45, 0.6, 0.78].map((height) => hillLine(random, height * HEIGHT));
  const rows = Buffer.alloc((WIDTH + 1) * HEIGHT);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const hill = hills.findLastIndex((line) => y > line(x));
      const isSun = Math.hypot(x - sun.x, y - sun.y) < sun.radius;
      const sky = isSun ? COLOURS - 1 : Math.floor((y / HEIGHT) * 40);
      rows[y * (WIDTH + 1) + 1 + x] = hill >= 0 ? 44 + hill * 6 : sky;
    }
  }
  return png(rows, palette(hue));
}

function hillLine(random: SeededRandom, height: number): (x: number) => number {
  const [wide, narrow] = [random.between(60, 140), random.between(17, 40)];
  const [tall, small, shift] = [random.between(8, 26), random.between(2, 7), random.between(0, 400)];
  return (x) => height + tall * Math.sin((x + shift) / wide) + small * Math.sin((x + shift) / narrow);
}

/** 40 shades of sky, hills from 44 on, the sun last. */
function palette(hue: number): Buffer {
  const colours = Array.from({ length: COLOURS }, (_, at) => {
    if (at === COLOURS - 1) return rgb(48, 0.95, 0.72);
    return at < 44 ? rgb(hue, 0.45, 0.5 + at / 110) : rgb((hue + 150) % 360, 0.3, 0.42 - (at - 44) / 55);
  });
  return Buffer.from(colours.flat());
}

function rgb(hue: number, saturation: number, lightness: number): number[] {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  return [0, 8, 4].map((shift) => {
    const at = (shift + hue / 30) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
  });
}

function png(rows: Buffer, colours: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 3, 0, 0, 0], 8); // 8 bits into a palette
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([signature, ...parts]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}

function crc32(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}
