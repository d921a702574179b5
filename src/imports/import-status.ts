import { z } from 'zod';
import { Id } from '../platform/database/columns.js';
import { defineEvent } from '../platform/events/events.js';

/** `failed`: none of its feeds could be imported. */
export const IMPORT_STATUSES = ['running', 'completed', 'failed', 'cancelled'] as const;
export const ImportStatus = z.enum(IMPORT_STATUSES);
export type ImportStatus = z.infer<typeof ImportStatus>;

/** `storing`: everything was fetched, and some batches are still to be written. */
export const FEED_STATUSES = ['queued', 'fetching', 'storing', 'done', 'failed', 'cancelled'] as const;
export const FeedStatus = z.enum(FEED_STATUSES);
export type FeedStatus = z.infer<typeof FeedStatus>;

export const OUTCOMES = ['new', 'updated', 'unchanged'] as const;
export const Outcome = z.enum(OUTCOMES);
export type Outcome = z.infer<typeof Outcome>;

export const importChanged = defineEvent('import-changed', z.object({ importId: Id }));
