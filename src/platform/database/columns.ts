import { customType, timestamp } from 'drizzle-orm/pg-core';
import { z } from 'zod';

/** Ids are bigints in PostgreSQL and strings everywhere else, which is also how the driver returns them. */
export const Id = z.string().regex(/^[1-9]\d{0,17}$/, 'an id');
export type Id = z.infer<typeof Id>;

/** What PostgreSQL can store and compare as text. */
export const Text = z
  .string()
  .refine(
    (text) => !text.includes('\0') && text.isWellFormed(),
    'may not hold NUL characters or halves of surrogate pairs',
  );

const bigserial = customType<{ data: string; driverData: string; default: true }>({ dataType: () => 'bigserial' });
const bigintText = customType<{ data: string; driverData: string }>({ dataType: () => 'bigint' });

/** The type fills itself in; the empty default only tells Drizzle that an insert may leave it out. */
export const idColumn = () =>
  bigserial()
    .primaryKey()
    .default(undefined as never);
export const idReference = () => bigintText();
export const instant = () => timestamp({ withTimezone: true, mode: 'date' });
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
