import { z } from 'zod';
import { ApiError } from '../platform/errors/api-error.js';
import type { NewImport } from './imports.store.js';
import { FieldMapping } from './items/field-mapping.js';
import { JOB_FIELDS } from './items/job-fields.js';

export const MAX_FEEDS = 200_000;

const EXPECTED = `{"feeds": ["https://…"]} or {"opml": "<opml …"} as JSON, or OPML as application/xml, text/xml or text/x-opml`;

const MAX_NAMED = 20;

/** A schema of the entries would create an object for each, and a body may contain millions. */
const Feeds = z
  .custom<string[]>()
  .superRefine((feeds, context) => {
    const wrong = validateFeeds(feeds);
    for (const { path, message } of wrong) context.addIssue({ code: 'custom', path, message });
  })
  .meta({ type: 'array', items: { type: 'string' }, minItems: 1, maxItems: MAX_FEEDS });

function validateFeeds(feeds: unknown): { path: number[]; message: string }[] {
  if (!Array.isArray(feeds) || !feeds.length) return [{ path: [], message: 'a list of addresses' }];
  if (feeds.length > MAX_FEEDS)
    return [{ path: [], message: `at most ${MAX_FEEDS} at once, and these are ${feeds.length}` }];
  const others: number[] = [];
  for (let at = 0; at < feeds.length && others.length < MAX_NAMED; at++)
    if (typeof feeds[at] !== 'string') others.push(at);
  return others.map((at) => ({ path: [at], message: 'an address, as text' }));
}

const FieldsOption = z
  .preprocess((given) => (given === 'jobs' ? JOB_FIELDS : given), FieldMapping)
  .meta({ description: 'Names and paths, or "jobs" for what job feeds usually have' });

/** A body of OPML alone has its options in the query. */
export const ImportBody = z.preprocess(
  (body) => (typeof body === 'string' ? { opml: body } : body),
  z
    .strictObject(
      {
        feeds: Feeds.optional(),
        opml: z.string().optional(),
        follow: z.boolean().optional(),
        full: z.boolean().optional(),
        fields: FieldsOption.optional(),
      },
      { error: ({ code }) => (code === 'invalid_type' ? EXPECTED : undefined) },
    )
    .refine(({ feeds, opml }) => (feeds === undefined) !== (opml === undefined), 'either feeds or opml'),
);
export type ImportBody = z.infer<typeof ImportBody>;

const yes = z.enum(['true', 'false']).transform((text) => text === 'true');

export const ImportQuery = z.strictObject({
  follow: yes.optional(),
  full: yes.optional(),
  fields: z
    .literal('jobs')
    .transform(() => JOB_FIELDS)
    .optional(),
});
export type ImportQuery = z.infer<typeof ImportQuery>;

type ImportOptions = Pick<NewImport, 'follow' | 'full' | 'fields'>;

export function optionsOf(body: ImportBody, query: ImportQuery): ImportOptions {
  const errors = (['follow', 'full', 'fields'] as const)
    .filter((name) => body[name] !== undefined && query[name] !== undefined)
    .map((path) => ({ path, message: 'in the query or in the body, not in both' }));
  if (errors.length)
    throw new ApiError('validation_failed', errors.map(({ path, message }) => `${path}: ${message}`).join('; '), {
      errors,
    });
  const { follow = false, full = false, fields = {} } = { ...body, ...query };
  return { follow, full, fields: Object.keys(fields).length ? fields : null };
}
