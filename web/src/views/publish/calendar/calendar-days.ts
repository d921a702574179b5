import type { Publication } from '../publication';
import { groupBy } from './group-by';

export type Span = 'week' | 'month';

/** A day in the browser's time zone. */
export interface CalendarDay {
  /** `2026-03-28`. */
  date: string;
  start: Date;
  /** False for days that only fill up the first or last week. */
  inMonth: boolean;
  isToday: boolean;
  /** Sorted by time. */
  publications: Publication[];
}

const DAYS_OF_WEEK = 7;

const startOf = (year: number, month: number, day: number) => new Date(year, month, day);
const plusDays = (day: Date, days: number) => startOf(day.getFullYear(), day.getMonth(), day.getDate() + days);
/** Weeks begin on Monday. */
const monday = (day: Date) => plusDays(day, -((day.getDay() + 6) % DAYS_OF_WEEK));

/** Whole weeks; `end` is exclusive. */
export function spanOf(span: Span, date: string): { first: Date; end: Date } {
  const day = dayOf(date);
  if (span === 'week') return { first: monday(day), end: plusDays(monday(day), DAYS_OF_WEEK) };
  const lastOfMonth = startOf(day.getFullYear(), day.getMonth() + 1, 0);
  return {
    first: monday(startOf(day.getFullYear(), day.getMonth(), 1)),
    end: plusDays(monday(lastOfMonth), DAYS_OF_WEEK),
  };
}

export function moved(span: Span, date: string, by: 1 | -1): string {
  const day = dayOf(date);
  if (span === 'week') return dateOf(plusDays(day, by * DAYS_OF_WEEK));
  return dateOf(startOf(day.getFullYear(), day.getMonth() + by, 1));
}

export function daysOf(span: Span, date: string, { publications, now }: { publications: Publication[]; now: Date }) {
  const { first, end } = spanOf(span, date);
  const byDate = groupBy(
    publications.toSorted((a, b) => Date.parse(a.scheduledAt) - Date.parse(b.scheduledAt)),
    ({ scheduledAt }) => dateOf(new Date(scheduledAt)),
  );
  const days: CalendarDay[] = [];
  for (let start = first; start < end; start = plusDays(start, 1)) {
    const day = dateOf(start);
    days.push({
      date: day,
      start,
      inMonth: start.getMonth() === dayOf(date).getMonth(),
      isToday: day === dateOf(now),
      publications: byDate.get(day) ?? [],
    });
  }
  return days;
}

/** Covers the working hours and every hour with a publication. */
export function hoursOf(days: CalendarDay[], working = { from: 8, to: 18 }): number[] {
  const used = days.flatMap(({ publications }) =>
    publications.map(({ scheduledAt }) => new Date(scheduledAt).getHours()),
  );
  const from = Math.min(working.from, ...used);
  const to = Math.max(working.to, ...used);
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

const two = (number: number) => String(number).padStart(2, '0');

export const dateOf = (day: Date) => `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;

/** Returns today if `date` is invalid. */
export function dayOf(date: string): Date {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date) ?? [];
  const now = new Date();
  return year
    ? startOf(Number(year), Number(month) - 1, Number(day))
    : startOf(now.getFullYear(), now.getMonth(), now.getDate());
}
