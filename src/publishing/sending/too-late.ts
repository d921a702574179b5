import { ApiError } from '../../platform/errors/api-error.js';
import type { PublicationStatus } from '../publications/publication-status.js';
import type { Publication } from '../publications/publications.table.js';

const WHAT_IT_DOES: Record<PublicationStatus, string> = {
  scheduled: 'has just been changed by somebody else',
  queued: 'is handed to a worker',
  publishing: 'is being published',
  published: 'was published',
  failed: 'has failed',
  expired: 'has expired',
  cancelled: 'is cancelled',
  unknown: 'may be on the platform: look, and tell it with resolve',
};

/** With what it is doing instead. */
export function tooLate({ id, status, intendedAt, publishedAt }: Publication): ApiError {
  const since = status === 'publishing' && intendedAt ? ` since ${intendedAt.toISOString()}` : '';
  const at = status === 'published' && publishedAt ? ` at ${publishedAt.toISOString()}` : '';
  return new ApiError('too_late', `The publication ${id} ${WHAT_IT_DOES[status]}${since}${at}.`);
}
