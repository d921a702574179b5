import { useState } from 'react';
import { useAccountName } from '../accounts/use-accounts';
import type { Publication } from '../publication';
import { type CalendarDay, hoursOf } from './calendar-days';
import { Entry } from './entry';
import { groupBy } from './group-by';

export function Week({ days }: { days: CalendarDay[] }) {
  const hours = hoursOf(days);
  const nameOf = useAccountName();
  const rows = { gridTemplateRows: `auto repeat(${hours.length}, minmax(2.25rem, auto))` };
  return (
    <div className="week" style={rows}>
      <div className="hours" aria-hidden="true">
        {hours.map((hour, at) => (
          <span key={hour} style={{ gridRow: at + 2 }}>
            {String(hour).padStart(2, '0')}:00
          </span>
        ))}
      </div>
      {hours.map((hour, at) => (
        <div key={hour} className="hour-line" style={{ gridRow: at + 2 }} />
      ))}
      {days.map((day, at) => (
        <section key={day.date} className={day.isToday ? 'day today' : 'day'} style={{ gridColumn: at + 2 }}>
          <h3>
            {day.start.toLocaleDateString('en', { weekday: 'short' })} {day.start.getDate()}
            {day.isToday && <span className="today-word"> today</span>}
          </h3>
          {[...groupBy(day.publications, hourOf)].map(([hour, publications]) => (
            <div key={hour} className="hour" style={{ gridRow: hour - (hours[0] ?? 0) + 2 }}>
              <HourEntries {...{ publications, nameOf }} />
            </div>
          ))}
        </section>
      ))}
    </div>
  );
}

const hourOf = ({ scheduledAt }: { scheduledAt: string }) => new Date(scheduledAt).getHours();

const MAX_ENTRIES = 3;

interface Props {
  publications: Publication[];
  nameOf: (accountId: string) => string;
}

function HourEntries({ publications, nameOf }: Props) {
  const [all, setAll] = useState(false);
  const shown = all || publications.length <= MAX_ENTRIES ? publications : publications.slice(0, MAX_ENTRIES - 1);
  const more = publications.length - shown.length;
  return (
    <>
      {shown.map((publication) => (
        <Entry key={publication.id} publication={publication} account={nameOf(publication.accountId)} />
      ))}
      {more > 0 && (
        <button type="button" className="more" onClick={() => setAll(true)}>
          {more} more
        </button>
      )}
    </>
  );
}
