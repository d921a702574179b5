import { z } from 'zod';
import { usedLastMinute } from '../../platform/hosts/used-lately.js';
import type { HostRow } from './hosts.store.js';

/** What administrators see of a host. */
export const HostView = z.strictObject({
  host: z.string(),
  /** How many requests a minute all parts of Millrace together send it at most; null: as many as come. */
  requestsPerMinute: z.int().nullable(),
  /** Who says so: MILLRACE_HOST_LIMITS, an administrator, the host in its headers, or the host by refusing (429). */
  origin: z.enum(['environment', 'set', 'header', 'refusal']).nullable(),
  /** The same in a sentence. */
  because: z.string().nullable(),
  /** About; null where there is no limit, because then nobody counts. */
  usedLastMinute: z.int().nullable(),
  /** When the next request may begin. */
  nextTurnAt: z.iso.datetime().nullable(),
  /** It is left alone until then. */
  closedUntil: z.iso.datetime().nullable(),
  closedBecause: z.string().nullable(),
  /** That are fetched from it, and those of them that somebody active follows. */
  sources: z.int(),
  activeSources: z.int(),
});
export type HostView = z.infer<typeof HostView>;

export function toHostView({ host, limit, backoff, sources, activeSources }: HostRow, now: Date): HostView {
  return {
    host,
    requestsPerMinute: limit?.perMinute ?? null,
    origin: limit?.origin ?? null,
    because: limit?.because ?? null,
    usedLastMinute: limit ? usedLastMinute(limit, now).used : null,
    nextTurnAt: limit?.nextAt.toISOString() ?? null,
    closedUntil: backoff?.until.toISOString() ?? null,
    closedBecause: backoff?.reason ?? null,
    sources,
    activeSources,
  };
}
