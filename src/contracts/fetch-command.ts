import { z } from 'zod';
import { Extra, Instant, maybe, Name, SchemaVersion } from './fields.js';

/** Requests one page of a source's posts from a worker: the newest ones, unless a cursor says where to continue. */
export const FetchCommand = z.object({
  schemaVersion: SchemaVersion,
  /** Identifies this call, and is the message's correlation id. */
  jobId: Name,
  sourceId: Name,
  sourceType: Name,
  /** The account, channel or address in the spelling of the type. */
  externalId: Name,
  params: z.object({
    /** The `nextCursor` of an earlier result. */
    cursor: maybe(z.string().max(10_000)),
    /** A hint: posts published before this time are usually known and may be left out. */
    since: maybe(Instant),
    /** A hint: the maximum number of posts. */
    limit: maybe(z.int().min(1)),
  }),
  timestamp: Instant,
  /** The answer is ignored this many milliseconds after `timestamp`. */
  timeout: maybe(z.int().min(0)),
  metadata: maybe(Extra),
});
export type FetchCommand = z.infer<typeof FetchCommand>;
export type NewFetchCommand = z.input<typeof FetchCommand>;
