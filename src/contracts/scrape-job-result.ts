import { z } from 'zod';
import { maybe, orElse, SchemaVersion } from './fields.js';
import { SenderId } from './scrape-job-message.js';
import { RemoteLead } from './scrape-result.js';

const SourceType = maybe(z.string().min(1).max(100));

/** What a worker that takes jobs from `scrape_jobs` has found, on the queue `scrape_results`. */
export const ScrapeJobResult = z.object({
  schema_version: SchemaVersion,
  /** The value of the job. */
  job_id: SenderId,
  /** `running`: further results follow. `partial`: some of the source types could not be searched. */
  status: z.enum(['running', 'completed', 'partial', 'failed']),
  /** The source type that the result is about. Without it, the result is about all source types of the job. */
  source_type: SourceType,
  /** Leads that no earlier result of the job had. */
  leads: orElse(z.array(RemoteLead.extend({ source_type: SourceType })).max(1_000), []),
  counts: maybe(
    z.looseObject({
      /** How many results the source had, including those that the worker left out. */
      total_found: maybe(z.int().min(0).max(1_000_000_000)),
    }),
  ),
  /** The reason of a failure, which the owner of the job reads. */
  error: maybe(z.string().max(10_000)),
});
export type ScrapeJobResult = z.infer<typeof ScrapeJobResult>;
