/** Numbers from 0 up to, but not including, 1: the same sequence for the same seed (mulberry32). */
type Random = () => number;

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Damage = (bytes: Buffer, random: Random) => Buffer;

const ANY_TAG = /<[^<>]*>/g;
const END_TAG = /<\/[^<>]*>/g;
const ITEM_END = /<\/(?:[\w.-]+:)?(?:item|entry)\s*>/gi;
const FIRST_ITEM = /<(?:[\w.-]+:)?(?:item|entry)[\s/>]/i;

/** Kinds of damage, each with a function that makes a damaged copy. A document without the thing to damage is copied as it is. */
export const DAMAGES: Record<string, Damage> = {
  'cut off': (bytes, random) => bytes.subarray(0, between(random, bytes.length * 0.1, bytes.length)),
  'one wrong byte': (bytes, random) => wrongBytes(bytes, random, 1),
  '20 wrong bytes': (bytes, random) => wrongBytes(bytes, random, 20),
  '20 doubled bytes': (bytes, random) => repeat(20, bytes, (copy) => insertCopy(copy, random, 1)),
  '20 missing bytes': (bytes, random) => repeat(20, bytes, (copy) => cut(copy, random, 1)),
  'doubled chunks': (bytes, random) => repeat(3, bytes, (copy) => insertCopy(copy, random, between(random, 10, 500))),
  'missing chunks': (bytes, random) => repeat(3, bytes, (copy) => cut(copy, random, between(random, 10, 200))),
  'swapped chunks': swapChunks,
  'missing end tag': (bytes, random) => withoutOne(bytes, random, END_TAG),
  'missing item end tag': (bytes, random) => withoutOne(bytes, random, ITEM_END),
  'missing tags': (bytes, random) => repeat(3, bytes, (copy) => withoutOne(copy, random, ANY_TAG)),
  'no item end tags': (bytes) => asText(bytes, (text) => text.replace(ITEM_END, '')),
  'unclosed element in the head': unclosedHead,
  'missing quote': (bytes, random) => withoutOne(bytes, random, /(?<=<[^<>]*=\s*["'][^"'<>]*)["']/g),
  'broken declaration': (bytes) => asText(bytes, (text) => text.replace(/(<\?xml[^>]*)\?>/i, '$1>')),
  'missing start of the document': (bytes, random) => bytes.subarray(between(random, 1, 300)),
  'NUL bytes': (bytes, random) => repeat(10, bytes, (copy) => insert(copy, random, Buffer.from([0]))),
  'lone surrogates': (bytes, random) =>
    repeat(5, bytes, (copy) => insert(copy, random, random() < 0.5 ? Buffer.from('eda080', 'hex') : '&#xD800;')),
  'wrong encoding': wrongEncoding,
  'stray markup': (bytes, random) =>
    repeat(5, bytes, (copy) => insert(copy, random, pick(random, ['<', '>', '&', '"', ']]>', '<![CDATA[', '<!--']))),
};

function between(random: Random, from: number, to: number): number {
  return Math.floor(from + random() * (to - from));
}

function pick<T>(random: Random, list: readonly T[]): T {
  const chosen = list[between(random, 0, list.length)];
  if (chosen === undefined) throw new Error('nothing to pick from');
  return chosen;
}

function repeat(times: number, bytes: Buffer, damage: (copy: Buffer) => Buffer): Buffer {
  let copy = bytes;
  for (let at = 0; at < times; at++) copy = damage(copy);
  return copy;
}

function wrongBytes(bytes: Buffer, random: Random, count: number): Buffer {
  const copy = Buffer.from(bytes);
  for (let at = 0; at < count; at++) copy[between(random, 0, copy.length)] = between(random, 0, 256);
  return copy;
}

function insert(bytes: Buffer, random: Random, inserted: Buffer | string): Buffer {
  const at = between(random, 0, bytes.length);
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(inserted), bytes.subarray(at)]);
}

function insertCopy(bytes: Buffer, random: Random, length: number): Buffer {
  const at = between(random, 0, bytes.length);
  return Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]);
}

function cut(bytes: Buffer, random: Random, length: number): Buffer {
  const at = between(random, 0, bytes.length);
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
}

function swapChunks(bytes: Buffer, random: Random): Buffer {
  const length = Math.min(between(random, 10, 200), Math.floor(bytes.length / 4));
  const first = between(random, 0, bytes.length / 2 - length);
  const second = between(random, bytes.length / 2, bytes.length - length);
  const [a, b] = [bytes.subarray(first, first + length), bytes.subarray(second, second + length)];
  return Buffer.concat([
    bytes.subarray(0, first),
    b,
    bytes.subarray(first + length, second),
    a,
    bytes.subarray(second + length),
  ]);
}

/** Bytes are characters, so that nothing else changes. */
function asText(bytes: Buffer, change: (text: string) => string): Buffer {
  return Buffer.from(change(bytes.toString('latin1')), 'latin1');
}

function withoutOne(bytes: Buffer, random: Random, what: RegExp): Buffer {
  return asText(bytes, (text) => {
    const found = [...text.matchAll(what)];
    if (found.length === 0) return text;
    const { index, 0: chosen } = pick(random, found);
    return text.slice(0, index) + text.slice(index + chosen.length);
  });
}

function unclosedHead(bytes: Buffer, random: Random): Buffer {
  const head = bytes.toString('latin1').search(FIRST_ITEM);
  if (head < 0) return bytes;
  return Buffer.concat([withoutOne(bytes.subarray(0, head), random, END_TAG), bytes.subarray(head)]);
}

/** The declaration names another encoding than the bytes are in, or the bytes are in another than it names. */
function wrongEncoding(bytes: Buffer, random: Random): Buffer {
  const name = pick(random, [
    'utf-16',
    'iso-8859-1',
    'us-ascii',
    'shift_jis',
    'utf-32',
    'x-nothing',
    'bytes in utf-16',
  ]);
  if (name === 'bytes in utf-16') return Buffer.from(bytes.toString('utf8'), 'utf16le');
  return asText(bytes, (text) => {
    if (!text.trimStart().startsWith('<')) return text;
    const body = text.replace(/^\s*(?:\xef\xbb\xbf)?\s*<\?xml[^>]*>/i, '');
    return `<?xml version="1.0" encoding="${name}"?>${body}`;
  });
}
