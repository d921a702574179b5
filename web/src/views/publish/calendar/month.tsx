import { useAccountName } from '../accounts/use-accounts';
import type { CalendarDay } from './calendar-days';
import { Entry } from './entry';

const MAX_ENTRIES = 3;

export function Month({ days, onWeek }: { days: CalendarDay[]; onWeek: (date: string) => void }) {
  const weeks = Array.from({ length: days.length / 7 }, (_, at) => days.slice(7 * at, 7 * at + 7));
  return (
    <table className="month">
      <thead>
        <tr>
          {days.slice(0, 7).map(({ date, start }) => (
            <th key={date} scope="col">
              {start.toLocaleDateString('en', { weekday: 'short' })}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]?.date}>
            {week.map((day) => (
              <DayCell key={day.date} day={day} onWeek={() => onWeek(day.date)} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function DayCell({ day, onWeek }: { day: CalendarDay; onWeek: () => void }) {
  const { start, inMonth, isToday, publications } = day;
  const nameOf = useAccountName();
  const shown = publications.length > MAX_ENTRIES ? publications.slice(0, MAX_ENTRIES - 1) : publications;
  const more = publications.length - shown.length;
  const name = start.toLocaleDateString('en', { day: 'numeric', month: 'long' });
  const count = `${publications.length} ${publications.length === 1 ? 'post' : 'posts'} on ${name}`;
  return (
    <td className={isToday ? 'today' : inMonth ? undefined : 'other-month'} aria-current={isToday ? 'date' : undefined}>
      <div className="day-number">
        {start.getDate()}
        {isToday && <span className="today-word"> today</span>}
      </div>
      <div className="day-entries">
        {shown.map((publication) => (
          <Entry key={publication.id} publication={publication} account={nameOf(publication.accountId)} />
        ))}
        {more > 0 && (
          <button type="button" className="more" aria-label={`${more} more on ${name}, show week`} onClick={onWeek}>
            {more} more
          </button>
        )}
      </div>
      {publications.length > 0 && (
        <button type="button" className="day-count" aria-label={`${count}, show week`} onClick={onWeek}>
          {publications.length}
        </button>
      )}
    </td>
  );
}
