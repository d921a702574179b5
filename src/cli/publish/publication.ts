import { z } from 'zod';
import { colourOf } from '../show/colour.js';
import { printable, printableLines } from '../show/printable.js';
import { type Column, facts } from '../show/table.js';
import { fromNow, localTime } from '../show/times.js';

const STATUSES = [
  'scheduled',
  'queued',
  'publishing',
  'published',
  'failed',
  'expired',
  'cancelled',
  'unknown',
] as const;

/** A publication, as far as it is shown. */
export const Publication = z.object({
  id: z.string(),
  accountId: z.string(),
  platform: z.string(),
  status: z.enum(STATUSES),
  content: z.object({
    text: z.string(),
    mediaUrls: z.array(z.string()),
    title: z.string().optional(),
    link: z.string().optional(),
  }),
  priority: z.string(),
  scheduledAt: z.string(),
  localTime: z.string().nullable(),
  timezone: z.string().nullable(),
  expiresAt: z.string().nullable(),
  attempts: z.number(),
  platformUrl: z.string().nullable(),
  waitingFor: z.string().nullable(),
  waitsUntil: z.string().nullable(),
  lastError: z.string().nullable(),
  history: z.array(z.object({ at: z.string(), to: z.string(), reason: z.string() })),
});
export type Publication = z.infer<typeof Publication>;

const ENDED: readonly string[] = ['published', 'failed', 'expired', 'cancelled', 'unknown'];
export const hasEnded = ({ status }: Publication) => ENDED.includes(status);

const whatNext = ({ platformUrl, lastError, waitingFor, status }: Publication) =>
  platformUrl ?? (status === 'published' ? null : (waitingFor ?? lastError));

export const PUBLICATION_COLUMNS: Column<Publication>[] = [
  { title: 'ID', show: ({ id }) => id, align: 'right' },
  { title: 'STATUS', show: ({ status }) => status, colour: ({ status }) => colourOf(status) },
  { title: 'WHEN', show: ({ scheduledAt }) => localTime(scheduledAt) },
  { title: 'PLATFORM', show: ({ platform }) => platform },
  { title: 'TEXT', show: ({ content }) => content.title ?? content.text, cuts: true },
  { title: 'RESULT', show: whatNext, cuts: true },
  { title: 'ACCOUNT', show: ({ accountId }) => accountId, align: 'right', spare: true },
];

export function inWords(one: Publication): string {
  const zoned = one.localTime && `, which is ${one.localTime} in ${one.timezone}`;
  const rows = facts([
    ['publication', one.id],
    ['status', one.status],
    ['account', `${one.accountId} (${one.platform})`],
    ['when', `${localTime(one.scheduledAt)}${zoned ?? ''}`],
    ['expires', localTime(one.expiresAt)],
    ['priority', one.priority],
    ['tries', one.attempts],
    ['waits for', one.waitingFor],
    ['until', fromNow(one.waitsUntil)],
    ['last error', one.lastError],
    ['seen at', one.platformUrl],
    ['title', one.content.title],
    ['link', one.content.link],
    ['files', one.content.mediaUrls.join(' ')],
  ]);
  const history = one.history.map(({ at, to, reason }) => `${localTime(at)}  ${to.padEnd(10)}  ${printable(reason)}\n`);
  const text = one.content.text && `\n${printableLines(one.content.text)}\n`;
  return `${rows}${text}\n${history.join('')}`;
}
