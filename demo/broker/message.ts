import { ByteReader } from './byte-reader.js';
import { ByteWriter } from './byte-writer.js';
import { type FieldTable, readTable, writeTable } from './fields.js';

export interface Properties {
  contentType?: string;
  contentEncoding?: string;
  headers?: FieldTable;
  deliveryMode?: number;
  priority?: number;
  correlationId?: string;
  replyTo?: string;
  /** Milliseconds, in digits. */
  expiration?: string;
  messageId?: string;
  timestamp?: bigint;
  type?: string;
  userId?: string;
  appId?: string;
  clusterId?: string;
}

export interface Message {
  exchange: string;
  routingKey: string;
  properties: Properties;
  body: Buffer;
}

const text = {
  read: (reader: ByteReader) => reader.shortString(),
  write: (writer: ByteWriter, value: string) => writer.shortString(value),
};
const octet = {
  read: (reader: ByteReader) => reader.uint8(),
  write: (writer: ByteWriter, value: number) => writer.uint8(value),
};
const instant = {
  read: (reader: ByteReader) => reader.uint64(),
  write: (writer: ByteWriter, value: bigint) => writer.uint64(value),
};

/** In the order of the protocol, in which each has a flag, the highest first. */
const CODECS = {
  contentType: text,
  contentEncoding: text,
  headers: { read: readTable, write: writeTable },
  deliveryMode: octet,
  priority: octet,
  correlationId: text,
  replyTo: text,
  expiration: text,
  messageId: text,
  timestamp: instant,
  type: text,
  userId: text,
  appId: text,
  clusterId: text,
} as const satisfies { [P in keyof Required<Properties>]: unknown };
const ORDER = Object.keys(CODECS) as (keyof Properties)[];
const BASIC_CLASS = 60;
const HIGHEST_FLAG = 0x8000;

/** What stands between the method and the body of a message. */
export function readContentHeader(payload: Buffer): { bodySize: number; properties: Properties } {
  const reader = new ByteReader(payload);
  reader.uint32();
  const bodySize = Number(reader.uint64());
  const flags = reader.uint16();
  const present = ORDER.filter((_, at) => flags & (HIGHEST_FLAG >> at));
  const properties = Object.fromEntries(present.map((name) => [name, CODECS[name].read(reader)]));
  return { bodySize, properties };
}

export function writeContentHeader({ properties, body }: Message): Buffer {
  const present = ORDER.filter((name) => properties[name] !== undefined);
  const flags = present.reduce((all, name) => all | (HIGHEST_FLAG >> ORDER.indexOf(name)), 0);
  const writer = new ByteWriter().uint16(BASIC_CLASS).uint16(0).uint64(BigInt(body.length)).uint16(flags);
  for (const name of present) CODECS[name].write(writer, properties[name] as never);
  return writer.bytes();
}
