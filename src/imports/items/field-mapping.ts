import { z } from 'zod';
import { Text } from '../../platform/database/columns.js';

/** A path to an element or attribute of the item: `job:company`, `location/city`, `enclosure@url`. */
const Path = Text.regex(
  /^[^\s/@]+(\/[^\s/@]+)*(@[^\s/@]+)?$/,
  'a path such as company, job:location/city or enclosure@url',
).max(200);
const FieldName = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,49}$/);
const NAME = 'a name begins with a letter and has up to 50 letters, digits and _';

const Field = z.union(
  [
    Path.transform((path) => ({ from: [path], required: false })),
    z
      .array(Path)
      .min(1)
      .max(10)
      .transform((from) => ({ from, required: false })),
    z.strictObject({
      from: z.union([Path.transform((path) => [path]), z.array(Path).min(1).max(10)]),
      required: z.boolean().default(false),
    }),
  ],
  { error: 'a path, a list of up to 10 paths, or {"from": …, "required": true}' },
);

const MAX_FIELDS = 30;

/** The first path that leads to a value counts. An item without a required field is not stored. */
export const FieldMapping = z
  .record(FieldName, Field, {
    error: ({ code }) => (code === 'invalid_key' ? NAME : '"jobs", or names of fields with their paths'),
  })
  .refine((mapping) => Object.keys(mapping).length <= MAX_FIELDS, `at most ${MAX_FIELDS} fields`);
export type FieldMapping = z.output<typeof FieldMapping>;

/** Values that occur more than once are a list. */
export type Fields = Record<string, string | string[]>;

export const pathsOf = (mapping: FieldMapping): Record<string, string[]> =>
  Object.fromEntries(Object.entries(mapping).map(([name, { from }]) => [name, from]));
