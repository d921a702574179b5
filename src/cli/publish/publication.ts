import type { Answer } from '../api/api-client.js';
import { type Column, facts } from '../show/table.js';
import { colourOf, printable, printableLines } from '../show/text.js';
import { fromNow, localTime } from '../show/times.js';

export type Publication = Answer<'get', '/publications/{id}'>;

const ENDED: readonly string[] = ['published', 'failed', 'expired', 'cancelled', 'unknown'];
export const hasEnded = ({ status }: Publication) => ENDED.includes(status);

const resultOf = ({ platformUrl, lastError, waitingFor, status }: Publication) =>
  platformUrl ?? (status === 'published' ? null : (waitingFor ?? lastError));

export const PUBLICATION_COLUMNS: Column<Publication>[] = [
  { title: 'ID', show: ({ id }) => id, align: 'right' },
  { title: 'STATUS', show: ({ status }) => status, colour: ({ status }) => colourOf(status) },
  { title: 'WHEN', show: ({ scheduledAt }) => localTime(scheduledAt) },
  { title: 'PLATFORM', show: ({ platform }) => platform },
  { title: 'TEXT', show: ({ content }) => content.title ?? content.text, truncates: true },
  { title: 'RESULT', show: resultOf, truncates: true },
  { title: 'ACCOUNT', show: ({ accountId }) => accountId, align: 'right', optional: true },
];

export function describePublication(one: Publication): string {
  const zoned = one.localTime && ` (${one.localTime} in ${one.timezone})`;
  const rows = facts([
    ['publication', one.id],
    ['status', one.status],
    ['account', `${one.accountId} (${one.platform})`],
    ['when', `${localTime(one.scheduledAt)}${zoned ?? ''}`],
    ['expires', localTime(one.expiresAt)],
    ['priority', one.priority],
    ['attempts', one.attempts],
    ['waiting for', one.waitingFor],
    ['until', fromNow(one.waitsUntil)],
    ['last error', one.lastError],
    ['address', one.platformUrl],
    ['title', one.content.title],
    ['link', one.content.link],
    ['media', one.content.mediaUrls.join(' ')],
  ]);
  const history = one.history.map(({ at, to, reason }) => `${localTime(at)}  ${to.padEnd(10)}  ${printable(reason)}\n`);
  const text = one.content.text && `\n${printableLines(one.content.text)}\n`;
  return `${rows}${text}\n${history.join('')}`;
}
