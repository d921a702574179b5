import { z } from 'zod';
import { Extra, maybe, SchemaVersion } from './fields.js';

/** Senders count or name as they like. */
const SenderId = z
  .union([z.string().min(1).max(200), z.int()], { error: 'a text of 1 to 200 characters, or a whole number' })
  .transform(String);

const Keywords = z.array(z.string().min(1).max(200)).max(200);

/** A scrape job that another service hands in, on the queue `scrape_jobs`. */
export const ScrapeJobMessage = z
  .object({
    schema_version: SchemaVersion,
    /** The sender's own; the same again is the same job. */
    job_id: SenderId,
    /** The sender's own id of the user whose job it is. */
    user_id: SenderId,
    industry: maybe(z.string().max(500)),
    geography: maybe(z.string().max(500)),
    keywords: Keywords.nullish().transform((given) => given ?? []),
    source_types: z.array(z.string().min(1).max(100)).min(1).max(20),
    search_query: maybe(z.string().max(2_000)),
    filters: Extra.nullish().transform((given) => given ?? {}),
  })
  .refine(
    ({ industry, geography, keywords, search_query, filters }) =>
      Boolean(industry || geography || keywords.length || search_query || Object.keys(filters).length),
    { path: ['search_query'], error: 'no criteria: give industry, geography, keywords, search_query or filters' },
  );
export type ScrapeJobMessage = z.infer<typeof ScrapeJobMessage>;
export type NewScrapeJobMessage = z.input<typeof ScrapeJobMessage>;
