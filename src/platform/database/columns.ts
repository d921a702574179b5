import { customType, timestamp } from 'drizzle-orm/pg-core';
import { z } from 'zod';

/** Ids are bigints in PostgreSQL and strings everywhere else, which is also how the driver returns them. */
export const Id = z.string().regex(/^[1-9]\d{0,17}$/, 'an id');
export type Id = z.infer<typeof Id>;

export const Text = z
  .string()
  .refine(
    (text) => !text.includes('\0') && text.isWellFormed(),
    'may not hold NUL characters or halves of surrogate pairs',
  );

const bigserial = customType<{ data: string; driverData: string; default: true }>({ dataType: () => 'bigserial' });
const bigintText = customType<{ data: string; driverData: string }>({ dataType: () => 'bigint' });

/** The database assigns the value. The empty default only tells Drizzle that an insert may omit it. */
export const idColumn = () =>
  bigserial()
    .primaryKey()
    .default(undefined as never);
export const idReference = () => bigintText();
export const instant = () => timestamp({ withTimezone: true, mode: 'date' });
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** The precision is that of `real`. PostgreSQL and its driver would format and parse every number of an array. */
export const packedNumbers = customType<{ data: number[]; driverData: Buffer }>({
  dataType: () => 'bytea',
  toDriver: (numbers) => packed(numbers),
  fromDriver: unpacked,
});

const EACH_BYTES = 4;

export function packed(numbers: number[]): Buffer {
  const buffer = Buffer.allocUnsafe(numbers.length * EACH_BYTES);
  for (const [place, number] of numbers.entries()) buffer.writeFloatLE(number, place * EACH_BYTES);
  return buffer;
}

export function unpacked(buffer: Buffer): number[] {
  return Array.from({ length: buffer.length / EACH_BYTES }, (_, place) => buffer.readFloatLE(place * EACH_BYTES));
}

export const inHex = (buffer: Buffer) => `\\x${buffer.toString('hex')}`;
