import { Link } from 'wouter';
import { headline, type Publication, STATUS_LABELS } from '../publication';

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

export function Entry({ publication, account }: { publication: Publication; account: string }) {
  const { id, status, scheduledAt } = publication;
  const { name, tone } = STATUS_LABELS[status];
  const time = CLOCK.format(new Date(scheduledAt));
  return (
    <Link
      href={`/publish/${id}`}
      className={`entry ${tone}`}
      title={`${time} · ${name} · ${account}\n${headline(publication)}`}
    >
      <span className="entry-mark" aria-hidden="true">
        {MARKS[status]}
      </span>
      <span className="hidden">{name}, </span>
      <span className="entry-time">{time}</span> <span className="entry-text">{headline(publication)}</span>
    </Link>
  );
}

const MARKS: Record<Publication['status'], string> = {
  scheduled: '○',
  queued: '◔',
  publishing: '◑',
  published: '✓',
  failed: '✕',
  expired: '–',
  cancelled: '–',
  unknown: '?',
};
