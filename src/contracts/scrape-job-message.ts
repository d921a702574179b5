import { z } from 'zod';
import { Extra, maybe, orElse, SchemaVersion } from './fields.js';

/** Senders use numbers or strings as ids. */
export const SenderId = z
  .union([z.string().min(1).max(200), z.int()], { error: 'a text of 1 to 200 characters, or a whole number' })
  .transform(String);

const Keywords = z.array(z.string().min(1).max(200)).max(200);

/** The search criteria and the source types to search. */
export const scrapeCriteria = {
  industry: maybe(z.string().max(500)),
  geography: maybe(z.string().max(500)),
  keywords: orElse(Keywords, []),
  source_types: z.array(z.string().min(1).max(100)).min(1).max(20),
  search_query: maybe(z.string().max(2_000)),
  filters: orElse(Extra, {}),
};
export type ScrapeCriteria = z.infer<z.ZodObject<typeof scrapeCriteria>>;

export const hasCriteria = ({ industry, geography, keywords, search_query, filters }: ScrapeCriteria) =>
  Boolean(industry || geography || keywords.length || search_query || Object.keys(filters).length);

export const NO_CRITERIA = {
  path: ['search_query'],
  error: 'no criteria: give industry, geography, keywords, search_query or filters',
};

const present = (name: string, value: object) => ({ required: [name], properties: { [name]: value } });

/** A scrape job on the queue `scrape_jobs`: from another service, or for a worker that does such jobs. */
export const ScrapeJobMessage = z
  .object({
    schema_version: SchemaVersion,
    /** The sender's own id. A repeated id is the same job. */
    job_id: SenderId,
    /** The sender's own id of the user who owns the job. */
    user_id: SenderId,
    ...scrapeCriteria,
  })
  .refine(hasCriteria, NO_CRITERIA)
  // This repeats the check for the published JSON Schema, which cannot be generated from a function.
  .meta({
    anyOf: [
      present('industry', { type: 'string', minLength: 1 }),
      present('geography', { type: 'string', minLength: 1 }),
      present('keywords', { type: 'array', minItems: 1 }),
      present('search_query', { type: 'string', minLength: 1 }),
      present('filters', { type: 'object', minProperties: 1 }),
    ],
  });
export type ScrapeJobMessage = z.infer<typeof ScrapeJobMessage>;
export type NewScrapeJobMessage = z.input<typeof ScrapeJobMessage>;
