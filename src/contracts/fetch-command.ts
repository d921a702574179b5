import { z } from 'zod';
import { Extra, Instant, maybe, Name, SchemaVersion } from './fields.js';

/** Asks a worker for one page of a source's posts, the newest ones unless a cursor says where to go on. */
export const FetchCommand = z.object({
  schemaVersion: SchemaVersion,
  /** Of this call alone, and the message's correlation id. */
  jobId: Name,
  sourceId: Name,
  sourceType: Name,
  /** The account, channel or address, as the type spells it. */
  externalId: Name,
  params: z.object({
    /** An earlier result's `nextCursor`. */
    cursor: maybe(z.string().max(10_000)),
    /** A hint: posts published before this time are known as a rule, and may be left out. */
    since: maybe(Instant),
    /** Posts wanted at most; a hint. */
    limit: maybe(z.int().min(1)),
  }),
  timestamp: Instant,
  /** Milliseconds from `timestamp` on; afterwards nobody waits for the answer. */
  timeout: maybe(z.int().min(0)),
  metadata: maybe(Extra),
});
export type FetchCommand = z.infer<typeof FetchCommand>;
export type NewFetchCommand = z.input<typeof FetchCommand>;
