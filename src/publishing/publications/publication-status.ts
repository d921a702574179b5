import { z } from 'zod';

/**
 * `scheduled`: waits for its time or for capacity within a limit. `queued`: handed to a worker. `publishing`: the
 * call is intended and may have been made. `unknown`: it is not known whether the post is on the platform, so a
 * person decides.
 */
export const PUBLICATION_STATUSES = [
  'scheduled',
  'queued',
  'publishing',
  'published',
  'failed',
  'expired',
  'cancelled',
  'unknown',
] as const;
export const PublicationStatus = z.enum(PUBLICATION_STATUSES);
export type PublicationStatus = z.infer<typeof PublicationStatus>;

/** Ordered by urgency, most urgent first. */
export const PRIORITIES = ['high', 'normal', 'low'] as const;
export const Priority = z.enum(PRIORITIES);
export type Priority = z.infer<typeof Priority>;

/** In these states no call is intended yet, so the publication can be changed and cancelled. */
export const NOT_STARTED = ['scheduled', 'queued'] as const satisfies PublicationStatus[];
