import type { Publication, Status } from '../publication';

interface QueueSections {
  /** Created a moment ago, in any status. */
  made: Publication[];
  /** Unknown or failed. */
  attention: Publication[];
  /** Sorted by due time. */
  waiting: Publication[];
  /** Newest first. */
  out: Publication[];
}

const ATTENTION: readonly Status[] = ['unknown', 'failed'];
const WAITING: readonly Status[] = ['scheduled', 'queued', 'publishing'];
const MAX_OUT = 10;

export function queueSections(publications: Publication[], made: readonly string[] = []): QueueSections {
  const within = (statuses: readonly Status[]) =>
    publications.filter(({ id, status }) => statuses.includes(status) && !made.includes(id));
  const dueAt = ({ scheduledAt }: Publication) => Date.parse(scheduledAt);
  const outAt = ({ publishedAt, scheduledAt }: Publication) => Date.parse(publishedAt ?? scheduledAt);
  return {
    made: publications.filter(({ id }) => made.includes(id)),
    attention: within(ATTENTION).toSorted((a, b) => dueAt(b) - dueAt(a)),
    waiting: within(WAITING).toSorted((a, b) => dueAt(a) - dueAt(b) || Number(a.id) - Number(b.id)),
    out: within(['published'])
      .toSorted((a, b) => outAt(b) - outAt(a))
      .slice(0, MAX_OUT),
  };
}
