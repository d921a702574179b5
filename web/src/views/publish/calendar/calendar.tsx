import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { readAll } from '../../../api/read-all';
import { ProblemNote } from '../../../design/problem-note';
import { useNow } from '../../../design/relative-time';
import { withLatest } from '../known-publications';
import { mergeChanged } from '../merge-changed';
import { PUBLICATIONS } from '../publication-keys';
import { readPublications } from '../queue/use-queue';
import { dateOf, dayOf, daysOf, moved, type Span, spanOf } from './calendar-days';
import { Month } from './month';
import { Week } from './week';
import './calendar.css';

const MAX_ENTRIES = 1_000;
const SPANS: readonly Span[] = ['week', 'month'];
const NOT_SHOWN = ['cancelled', 'expired'];

/** The span and the day are kept in the URL. */
export function Calendar() {
  const [search, setSearch] = useSearchParams();
  const span: Span = search.get('span') === 'month' ? 'month' : 'week';
  const now = new Date(useNow());
  const date = search.get('day') ?? dateOf(now);
  const show = (next: { span?: Span; day?: string }) => setSearch({ span, day: date, ...next }, { replace: true });
  const { data, error, refetch } = usePublicationsIn(span, date);
  const publications = data?.items.filter(({ status }) => !NOT_SHOWN.includes(status)) ?? [];
  const days = daysOf(span, date, { publications, now });
  return (
    <section className="calendar" aria-labelledby="calendar">
      <div className="row">
        <h2 id="calendar" aria-live="polite">
          {titleOf(span, date)}
        </h2>
        <SpanControls {...{ span, date, show }} />
      </div>
      {error && <ProblemNote error={error} onRetry={refetch} />}
      {data?.complete === false && <p className="hint">Only the {MAX_ENTRIES} newest publications are shown.</p>}
      {span === 'week' ? <Week days={days} /> : <Month days={days} onWeek={(day) => show({ span: 'week', day })} />}
      {data && !publications.length && <p className="soft">No publications in this {span}.</p>}
    </section>
  );
}

interface ControlProps {
  span: Span;
  date: string;
  show: (next: { span?: Span; day?: string }) => void;
}

function SpanControls({ span, date, show }: ControlProps) {
  return (
    <div className="row turn">
      <button type="button" aria-label={`Previous ${span}`} onClick={() => show({ day: moved(span, date, -1) })}>
        ‹
      </button>
      <button type="button" onClick={() => show({ day: dateOf(new Date()) })}>
        Today
      </button>
      <button type="button" aria-label={`Next ${span}`} onClick={() => show({ day: moved(span, date, 1) })}>
        ›
      </button>
      {SPANS.map((one) => (
        <button key={one} type="button" aria-pressed={span === one} onClick={() => show({ span: one })}>
          {one === 'week' ? 'Week' : 'Month'}
        </button>
      ))}
    </div>
  );
}

function usePublicationsIn(span: Span, date: string) {
  const { first, end } = spanOf(span, date);
  const scope = { from: first.toISOString(), to: end.toISOString() };
  return useQuery({
    queryKey: [PUBLICATIONS, scope, 'calendar'],
    staleTime: 0,
    queryFn: async () => {
      const { items, complete } = await readAll((cursor) => readPublications(scope, cursor), MAX_ENTRIES);
      return { items: mergeChanged([], withLatest(items), scope), complete };
    },
  });
}

function titleOf(span: Span, date: string): string {
  const { first, end } = spanOf(span, date);
  if (span === 'month') return dayOf(date).toLocaleDateString('en', { month: 'long', year: 'numeric' });
  const format = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });
  return format.formatRange(first, new Date(end.getTime() - 1));
}
