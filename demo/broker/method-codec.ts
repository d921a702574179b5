import { ByteReader } from './byte-reader.js';
import { ByteWriter } from './byte-writer.js';
import { readTable, writeTable } from './fields.js';
import { type Arguments, type Kinds, METHODS, type Method, type MethodName } from './methods.js';

/** One field, or the bits that share a byte. */
type Step = { field: string; kind: Whole } | { bits: string[] };
type Whole = Exclude<keyof Kinds, 'bit'>;

const READERS: Record<Whole, (reader: ByteReader) => unknown> = {
  octet: (reader) => reader.uint8(),
  short: (reader) => reader.uint16(),
  long: (reader) => reader.uint32(),
  longlong: (reader) => Number(reader.uint64()),
  shortstr: (reader) => reader.shortString(),
  longstr: (reader) => reader.longString(),
  table: readTable,
};

const WRITERS: { [K in Whole]: (writer: ByteWriter, value: Kinds[K] | undefined) => void } = {
  octet: (writer, value = 0) => writer.uint8(value),
  short: (writer, value = 0) => writer.uint16(value),
  long: (writer, value = 0) => writer.uint32(value),
  longlong: (writer, value = 0) => writer.uint64(BigInt(value)),
  shortstr: (writer, value = '') => writer.shortString(value),
  longstr: (writer, value = '') => writer.longString(value),
  table: (writer, value = {}) => writeTable(writer, value),
};

const STEPS = new Map<string, Step[]>(Object.entries(METHODS).map(([name, { fields }]) => [name, stepsOf(fields)]));
const NAMES = new Map(Object.entries(METHODS).map(([name, { id }]) => [id, name]));

/** Undefined if it is a method that is not spoken here; a RangeError if it is broken. */
export function readMethod(payload: Buffer): Method | undefined {
  const reader = new ByteReader(payload);
  const name = NAMES.get(reader.uint32());
  if (name === undefined) return undefined;
  const values: Record<string, unknown> = {};
  for (const step of STEPS.get(name) ?? []) {
    if ('field' in step) values[step.field] = READERS[step.kind](reader);
    else Object.assign(values, readBits(reader.uint8(), step.bits));
  }
  return { name, arguments: values } as unknown as Method;
}

export function writeMethod<N extends MethodName>(name: N, given: Arguments<N>): Buffer {
  const writer = new ByteWriter().uint32(METHODS[name].id);
  const values = given as Record<string, unknown>;
  for (const step of STEPS.get(name) ?? []) {
    if ('field' in step) WRITERS[step.kind](writer, values[step.field] as never);
    else writer.uint8(step.bits.reduce((byte, bit, at) => byte | (values[bit] ? 1 << at : 0), 0));
  }
  return writer.bytes();
}

const readBits = (byte: number, bits: string[]) =>
  Object.fromEntries(bits.map((bit, at) => [bit, (byte & (1 << at)) !== 0]));

function stepsOf(fields: Record<string, keyof Kinds>): Step[] {
  const steps: Step[] = [];
  for (const [field, kind] of Object.entries(fields)) {
    const last = steps.at(-1);
    if (kind !== 'bit') steps.push({ field, kind });
    else if (last && 'bits' in last) last.bits.push(field);
    else steps.push({ bits: [field] });
  }
  return steps;
}
