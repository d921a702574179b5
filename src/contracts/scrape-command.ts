import { z } from 'zod';
import { Extra, Instant, maybe, Name, orElse, SchemaVersion } from './fields.js';

/** Asks a worker for one page of leads that meet the criteria. */
export const ScrapeCommand = z.object({
  schemaVersion: SchemaVersion,
  /** Of this call alone, and the message's correlation id. */
  jobId: Name,
  sourceType: Name,
  params: z.object({
    industry: maybe(z.string().max(500)),
    geography: maybe(z.string().max(500)),
    keywords: orElse(z.array(z.string().max(500)), []),
    searchQuery: maybe(z.string().max(2_000)),
    filters: orElse(Extra, {}),
    /** An earlier result's `nextCursor`. */
    cursor: maybe(z.string().max(10_000)),
    /** Leads wanted at most; a hint. */
    limit: maybe(z.int().min(1)),
  }),
  timestamp: Instant,
  /** Milliseconds from `timestamp` on; afterwards nobody waits for the answer. */
  timeout: maybe(z.int().min(0)),
  metadata: maybe(Extra),
});
export type ScrapeCommand = z.infer<typeof ScrapeCommand>;
export type NewScrapeCommand = z.input<typeof ScrapeCommand>;
