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

export const STATUS_WORDS: Record<Status, { name: string; tone: Tone }> = {
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

/** What the server would still do with it. */
export const mayChange = ({ status }: Publication) => NOT_STARTED.includes(status);
export const mayHurry = ({ status, waitingFor }: Publication) => status === 'scheduled' && waitingFor === 'its time';
export const mayRetry = ({ status }: Publication) => status === 'failed';
export const mayResolve = ({ status }: Publication) => status === 'unknown';

/** Why it is not out, as the beginning of a sentence that ends with when. */
export function waitingWords({ waitingFor, waitsUntil }: Publication): string | undefined {
  if (waitingFor === null) return undefined;
  if (waitingFor === 'its time') return 'Goes out';
  return waitsUntil === null ? `Waits for ${waitingFor}` : `Waits for ${waitingFor}; goes on`;
}

/** The time that matters most about it, and what it means; undefined where it could go out at any moment. */
export function whenWords({ waitingFor, waitsUntil, publishedAt, scheduledAt }: Publication) {
  if (waitsUntil !== null) return { words: waitingFor === 'its time' ? 'Goes out' : 'Goes on', at: waitsUntil };
  if (waitingFor !== null) return undefined;
  return publishedAt === null ? { words: 'Was due', at: scheduledAt } : { words: 'Out', at: publishedAt };
}

/** A line of it for lists. */
export const headline = ({ content: { title, text, mediaUrls } }: Publication): string =>
  title ||
  text.trim() ||
  (mediaUrls.length === 1 ? 'One file, without words' : `${mediaUrls.length} files, without words`);
