import type { ByteReader } from './byte-reader.js';
import { ByteWriter } from './byte-writer.js';

/** What the tables of AMQP hold: queue arguments, message headers. */
export type FieldValue = string | number | bigint | boolean | null | Date | Buffer | FieldValue[] | FieldTable;
export interface FieldTable {
  [name: string]: FieldValue;
}

export function readTable(reader: ByteReader): FieldTable {
  const inner = reader.part(reader.uint32());
  const table: FieldTable = {};
  while (inner.rest > 0) table[inner.shortString()] = readValue(inner);
  return table;
}

export function writeTable(writer: ByteWriter, table: FieldTable): void {
  const inner = new ByteWriter();
  for (const [name, value] of Object.entries(table)) {
    inner.shortString(name);
    writeValue(inner, value);
  }
  writer.longBytes(inner.bytes());
}

/** By the letter that says what follows, as RabbitMQ uses them. */
const READERS: Record<string, (reader: ByteReader) => FieldValue> = {
  t: (reader) => reader.uint8() !== 0,
  b: (reader) => reader.int8(),
  B: (reader) => reader.uint8(),
  s: (reader) => reader.int16(),
  u: (reader) => reader.uint16(),
  I: (reader) => reader.int32(),
  i: (reader) => reader.uint32(),
  l: (reader) => asSafeNumber(reader.int64()),
  f: (reader) => reader.float(),
  d: (reader) => reader.double(),
  D: (reader) => 10 ** -reader.uint8() * reader.int32(),
  S: (reader) => reader.longString(),
  x: (reader) => reader.longBytes(),
  T: (reader) => new Date(Number(reader.int64()) * 1_000),
  V: () => null,
  A: (reader) => {
    const inner = reader.part(reader.uint32());
    const values: FieldValue[] = [];
    while (inner.rest > 0) values.push(readValue(inner));
    return values;
  },
  F: readTable,
};

function readValue(reader: ByteReader): FieldValue {
  const letter = String.fromCharCode(reader.uint8());
  const read = READERS[letter];
  if (!read) throw new RangeError(`a field of type ${letter} is not known`);
  return read(reader);
}

function writeValue(writer: ByteWriter, value: FieldValue): void {
  const is = (letter: string) => writer.uint8(letter.charCodeAt(0));
  if (value === null) is('V');
  else if (typeof value === 'string') is('S').longString(value);
  else if (typeof value === 'boolean') is('t').uint8(Number(value));
  else if (typeof value === 'number' && !Number.isSafeInteger(value)) is('d').double(value);
  else if (typeof value === 'number' || typeof value === 'bigint') is('l').int64(BigInt(value));
  else if (value instanceof Date) is('T').int64(BigInt(Math.floor(value.getTime() / 1_000)));
  else if (Buffer.isBuffer(value)) is('x').longBytes(value);
  else if (Array.isArray(value)) {
    const inner = new ByteWriter();
    for (const entry of value) writeValue(inner, entry);
    is('A').longBytes(inner.bytes());
  } else writeTable(is('F'), value);
}

const asSafeNumber = (value: bigint) => (Number.isSafeInteger(Number(value)) ? Number(value) : value);
