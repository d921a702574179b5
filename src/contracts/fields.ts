import { z } from 'zod';

/** Rises when an older receiver would misread a changed message. New optional fields do not count. */
export const SCHEMA_VERSION = 1;

/** Many languages write null for missing values. */
export const maybe = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);

/** Like `maybe`, with a default for a missing value. */
export const orElse = <T extends z.ZodType>(schema: T, fallback: z.util.NoUndefined<z.output<T>>) =>
  schema
    .nullable()
    .default(fallback)
    .transform((value) => value ?? fallback);

/** A message without a version has the first version. */
export const SchemaVersion = orElse(
  z.literal(SCHEMA_VERSION, {
    error: ({ input }) => `version ${JSON.stringify(input)} is not supported, only version ${SCHEMA_VERSION} is`,
  }),
  SCHEMA_VERSION,
);

export const Instant = z.iso.datetime({ offset: true, error: 'a time such as 2026-01-31T12:00:00Z' });

/** A name of the sender, which is not interpreted. */
export const Name = z.string().min(1).max(500);

export const Extra = z.record(z.string(), z.unknown());
