import { z } from 'zod';
import { Extra, Instant, maybe, Name, orElse, SchemaVersion } from './fields.js';
import { RemoteError } from './remote-error.js';

export const RemoteLead = z.object({
  name: z.string().min(1).max(1_000),
  domain: maybe(z.string().max(500)),
  emails: orElse(z.array(z.string().max(500)).max(100), []),
  phones: orElse(z.array(z.string().max(100)).max(100), []),
  address: maybe(z.string().max(2_000)),
  country: maybe(z.string().max(100)),
  description: maybe(z.string().max(20_000)),
  url: maybe(z.string().max(10_000)),
  /** The site's own data. */
  raw: z.unknown().optional(),
});

const answered = {
  schemaVersion: SchemaVersion,
  /** The value of the command. */
  jobId: Name,
  timestamp: Instant,
  /** The duration in milliseconds. */
  processingTime: z.number().min(0),
};

export const ScrapeResult = z.discriminatedUnion('status', [
  z.object({
    ...answered,
    status: z.literal('success'),
    data: z.object({
      leads: z.array(RemoteLead).max(1_000),
      nextCursor: maybe(z.string().min(1).max(10_000)),
      hasMore: z.boolean(),
      metadata: maybe(Extra),
    }),
  }),
  z.object({ ...answered, status: z.literal('error'), error: RemoteError }),
]);
export type ScrapeResult = z.infer<typeof ScrapeResult>;
