import type { paths } from '../../api/schema';
import type { Tone } from '../../design/badge';

export type Publication = paths['/api/v1/publications/{id}']['get']['responses'][200]['content']['application/json'];
export type Status = Publication['status'];

export const STATUSES: readonly Status[] = [
  'scheduled',
  'queued',
  'publishing',
  'published',
  'failed',
  'expired',
  'cancelled',
  'unknown',
];

export const STATUS_LABELS: Record<Status, { name: string; tone: Tone }> = {
  scheduled: { name: 'Scheduled', tone: 'plain' },
  queued: { name: 'Queued', tone: 'busy' },
  publishing: { name: 'Publishing', tone: 'busy' },
  published: { name: 'Published', tone: 'good' },
  failed: { name: 'Failed', tone: 'bad' },
  expired: { name: 'Expired', tone: 'warning' },
  cancelled: { name: 'Cancelled', tone: 'plain' },
  unknown: { name: 'Unknown', tone: 'warning' },
};

const NOT_STARTED: readonly Status[] = ['scheduled', 'queued'];

export const mayChange = ({ status }: Publication) => NOT_STARTED.includes(status);
export const mayPublishNow = ({ status, waitingFor }: Publication) =>
  status === 'scheduled' && waitingFor === 'its time';
export const mayRetry = ({ status }: Publication) => status === 'failed';
export const mayResolve = ({ status }: Publication) => status === 'unknown';

/** The start of a sentence that ends with `waitsUntil`. */
export function waitingText({ waitingFor, waitsUntil }: Publication): string | undefined {
  if (waitingFor === null) return undefined;
  if (waitingFor === 'its time') return 'Publishes';
  return waitsUntil === null ? `Waiting for ${waitingFor}` : `Waiting for ${waitingFor}, continues`;
}

/** The most relevant time and its meaning; undefined if it may be published at any moment. */
export function whenText({ waitingFor, waitsUntil, publishedAt, scheduledAt }: Publication) {
  if (waitsUntil !== null) return { words: waitingFor === 'its time' ? 'Publishes' : 'Continues', at: waitsUntil };
  if (waitingFor !== null) return undefined;
  return publishedAt === null ? { words: 'Was due', at: scheduledAt } : { words: 'Published', at: publishedAt };
}

export const headline = ({ content: { title, text, mediaUrls } }: Publication): string =>
  title || text.trim() || (mediaUrls.length === 1 ? 'One file without text' : `${mediaUrls.length} files without text`);
