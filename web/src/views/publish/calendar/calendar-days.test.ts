import { expect, it } from 'vitest';
import { publication } from '../publication.sample';
import { dateOf, daysOf, hoursOf, moved, spanOf } from './calendar-days';

const at = (...time: [number, number, number, number?, number?]) => new Date(...time).toISOString();
const nothing = { publications: [], now: new Date(2026, 2, 18) };

it('shows a week from Monday to Sunday', () => {
  const { first, end } = spanOf('week', '2026-03-18');
  expect([dateOf(first), dateOf(end)]).toEqual(['2026-03-16', '2026-03-23']);
  expect(daysOf('week', '2026-03-22', nothing).map(({ date }) => date)[0]).toBe('2026-03-16');
});

it('shows a month in whole weeks, also where clocks change', () => {
  const days = daysOf('month', '2026-03-10', nothing);
  expect([days[0]?.date, days.at(-1)?.date, days.length]).toEqual(['2026-02-23', '2026-04-05', 42]);
  expect(days.filter(({ inMonth }) => inMonth)).toHaveLength(31);
  expect(days.filter(({ isToday }) => isToday).map(({ date }) => date)).toEqual(['2026-03-18']);
});

it('puts each publication on its day, in the order of the hours', () => {
  const late = publication({ id: 'late', scheduledAt: at(2026, 2, 18, 23, 59) });
  const early = publication({ id: 'early', scheduledAt: at(2026, 2, 18, 0, 0) });
  const days = daysOf('week', '2026-03-18', { ...nothing, publications: [late, early] });
  expect(days[2]?.publications.map(({ id }) => id)).toEqual(['early', 'late']);
});

it('turns by weeks and by months', () => {
  expect(moved('week', '2026-03-30', 1)).toBe('2026-04-06');
  expect(moved('month', '2026-03-31', -1)).toBe('2026-02-01');
});

it('shows the working day, and more hours where something is outside of it', () => {
  const days = daysOf('week', '2026-03-18', {
    ...nothing,
    publications: [publication({ scheduledAt: at(2026, 2, 18, 21) })],
  });
  const hours = hoursOf(days);
  expect([hours[0], hours.at(-1)]).toEqual([8, 21]);
});
