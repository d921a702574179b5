import type { Account } from './use-accounts';

export type SlotRules = NonNullable<Account['slots']>;
export type Day = SlotRules['times'][number]['days'][number];

export const DAYS: readonly Day[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
export const DAY_NAMES: Record<Day, string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

/** "Mon Tue 09:00, Sat 10:00 (Europe/Berlin)". */
export function slotText({ timezone, times }: SlotRules): string {
  const rules = times.map(({ days, time }) => `${daysText(days)} ${time}`);
  return `${rules.join(', ')} (${timezone.replaceAll('_', ' ')})`;
}

function daysText(days: readonly Day[]): string {
  if (days.length === DAYS.length) return 'every day';
  const places = DAYS.filter((day) => days.includes(day));
  const [first, last] = [places[0], places.at(-1)];
  const isRun = first && last && DAYS.indexOf(last) - DAYS.indexOf(first) === places.length - 1;
  const short = (day: Day) => DAY_NAMES[day].slice(0, 3);
  return isRun && places.length > 2 ? `${short(first)}–${short(last)}` : places.map(short).join(' ');
}
