import { z } from 'zod';
import { listQuery } from '../../platform/api/list-query.js';
import { Id, Text } from '../../platform/database/columns.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { OUTCOMES } from '../import-status.js';
import type { FieldMapping } from './field-mapping.js';
import { type FieldQuery, fieldQuery, LONGEST_VALUE } from './field-terms.js';

const PREFIX = 'field.';
const Value = Text.max(LONGEST_VALUE + 1, `at most ${LONGEST_VALUE} characters`);

/** Beside what lists take, `field.<name>`, each once or several times. */
export const ItemsQuery = listQuery(z.tuple([Id]), {
  status: z.enum([...OUTCOMES, 'failed']).optional(),
  feed: Id.optional(),
})
  .catchall(z.union([Value, z.array(Value)], { error: `up to ${LONGEST_VALUE} characters` }))
  .transform(({ limit, cursor, status, feed, ...others }, context) => {
    const keys = Object.keys(others).filter((key) => !key.startsWith(PREFIX));
    if (keys.length) context.addIssue({ code: 'unrecognized_keys', keys, input: others });
    const fields = Object.entries(others).flatMap(([key, values]) =>
      [values as string | string[]].flat().map((value) => ({ name: key.slice(PREFIX.length), value })),
    );
    return { limit, cursor, status, feed, fields };
  });
export type ItemsQuery = z.output<typeof ItemsQuery>;

/** What is asked of fields that the import has. */
export function fieldQueries({ status, fields }: ItemsQuery, mapping: FieldMapping | null): FieldQuery[] {
  const names = Object.keys(mapping ?? {});
  const errors = fields
    .filter(({ name }) => status === 'failed' || !names.includes(name))
    .map(({ name }) => ({ path: `${PREFIX}${name}`, message: whyNot(status, names) }));
  if (!errors.length) return fields.map(({ name, value }) => fieldQuery(name, value));
  const detail = errors.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new ApiError('validation_failed', detail, { errors });
}

function whyNot(status: ItemsQuery['status'], names: string[]): string {
  if (status === 'failed') return 'what failed has no fields';
  return names.length ? `not a field of this import, which has ${names.join(', ')}` : 'this import has no fields';
}
