import { z } from 'zod';
import { Extra, Instant, maybe, Name, orElse, SchemaVersion } from './fields.js';

/** Requests one page of leads that match the criteria from a worker. */
export const ScrapeCommand = z.object({
  schemaVersion: SchemaVersion,
  /** Identifies this call, and is the message's correlation id. */
  jobId: Name,
  sourceType: Name,
  params: z.object({
    industry: maybe(z.string().max(500)),
    geography: maybe(z.string().max(500)),
    keywords: orElse(z.array(z.string().max(500)), []),
    searchQuery: maybe(z.string().max(2_000)),
    filters: orElse(Extra, {}),
    /** The `nextCursor` of an earlier result. */
    cursor: maybe(z.string().max(10_000)),
    /** A hint: the maximum number of leads. */
    limit: maybe(z.int().min(1)),
  }),
  timestamp: Instant,
  /** The answer is ignored this many milliseconds after `timestamp`. */
  timeout: maybe(z.int().min(0)),
  metadata: maybe(Extra),
});
export type ScrapeCommand = z.infer<typeof ScrapeCommand>;
export type NewScrapeCommand = z.input<typeof ScrapeCommand>;
