import { z } from 'zod';

/**
 * `scheduled`: waits, for its time or for room within a limit. `queued`: handed to a worker. `publishing`: the call is decided
 * on, and it may have been made. `unknown`: nobody can tell whether it is on the platform; a person decides.
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

/** Most urgent first. */
export const PRIORITIES = ['high', 'normal', 'low'] as const;
export const Priority = z.enum(PRIORITIES);
export type Priority = z.infer<typeof Priority>;

/** Nobody has been asked to show it: it can be changed and taken back. */
export const NOT_STARTED = ['scheduled', 'queued'] as const satisfies PublicationStatus[];
