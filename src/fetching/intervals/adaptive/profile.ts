/** Hours are UTC, and day 0 is Sunday. Ten posts in an hour observed once weigh more than in one observed all week. */
export interface Profile {
  hours: number[];
  weekdays: number[];
  /** Observed seconds, weighted by the usual activity of their weekday or hour. They decay like the posts. */
  watchedHours: number[];
  watchedWeekdays: number[];
}

/** Activity relative to the average; the mean over a week is 1. */
interface Factors {
  hours: number[];
  weekdays: number[];
}

const HOUR = 3_600;
const DAY = 86_400;
const WEEK = 7 * DAY;
/** Average posts assumed on top of the observed ones, because a few posts say little about hours or weekdays. */
const EVEN_IN_HOUR = 0.8;
const EVEN_IN_WEEKDAY = 12;
/** 1 January 1970 was a Thursday. */
const FIRST_WEEKDAY = 4;

const zeros = (count: number): number[] => Array(count).fill(0);

export const flatProfile = (): Profile => ({
  hours: zeros(24),
  weekdays: zeros(7),
  watchedHours: zeros(24),
  watchedWeekdays: zeros(7),
});

const EVEN: Factors = { hours: Array(24).fill(1), weekdays: Array(7).fill(1) };

const hourOf = (at: number) => Math.floor(at / HOUR) % 24;
const weekdayOf = (at: number) => (Math.floor(at / DAY) + FIRST_WEEKDAY) % 7;
export const endOfHour = (at: number) => (Math.floor(at / HOUR) + 1) * HOUR;

export function countPost({ hours, weekdays }: Profile, at: number, weight: number): void {
  add(hours, hourOf(at), weight);
  add(weekdays, weekdayOf(at), weight);
}

/** Returns the seconds, weighted by the usual activity of their hours and weekdays. */
export function countWatched(
  { watchedHours, watchedWeekdays }: Profile,
  { from, to, weight = 1 }: { from: number; to: number; weight?: number },
  { hours, weekdays }: Factors,
): number {
  let total = 0;
  for (let at = from; at < to; ) {
    const end = Math.min(to, endOfHour(at));
    const [hour, weekday] = [hourOf(at), weekdayOf(at)];
    const [byHour, byWeekday] = [hours[hour] ?? 1, weekdays[weekday] ?? 1];
    add(watchedHours, hour, weight * (end - at) * byWeekday);
    add(watchedWeekdays, weekday, weight * (end - at) * byHour);
    total += (end - at) * byHour * byWeekday;
    at = end;
  }
  return total;
}

/** `leftOf` returns the decayed total of the seconds. */
export function countHistory(
  profile: Profile,
  { from, to }: { from: number; to: number },
  leftOf: (seconds: number) => number,
): void {
  const recent = Math.min(to - from, WEEK);
  if (recent <= 0) return;
  countWatched(profile, { from: to - recent, to, weight: leftOf(recent) / recent }, EVEN);
  const before = leftOf(to - from) - leftOf(recent);
  for (let hour = 0; hour < 24; hour++) add(profile.watchedHours, hour, before / 24);
  for (let weekday = 0; weekday < 7; weekday++) add(profile.watchedWeekdays, weekday, before / 7);
}

export function factorsOf({ hours, weekdays, watchedHours, watchedWeekdays }: Profile): Factors {
  return {
    hours: compared(around(hours), around(watchedHours), EVEN_IN_HOUR),
    weekdays: compared(weekdays.slice(), watchedWeekdays, EVEN_IN_WEEKDAY),
  };
}

export const factorAt = ({ hours, weekdays }: Factors, at: number): number =>
  (hours[hourOf(at)] ?? 1) * (weekdays[weekdayOf(at)] ?? 1);

function compared(posts: number[], watched: number[], even: number): number[] {
  const perSecond = sum(posts) / Math.max(sum(watched), 1);
  let total = 0;
  for (let place = 0; place < posts.length; place++) {
    const ratio = ((posts[place] as number) + even) / ((watched[place] as number) * perSecond + even);
    posts[place] = ratio;
    total += ratio;
  }
  const scale = posts.length / total;
  for (let place = 0; place < posts.length; place++) posts[place] = (posts[place] as number) * scale;
  return posts;
}

function around(hours: number[]): number[] {
  const smooth = hours.slice();
  const last = hours.length - 1;
  let [before, here] = [hours[last] as number, hours[0] as number];
  for (let hour = 0; hour <= last; hour++) {
    const after = hours[hour < last ? hour + 1 : 0] as number;
    smooth[hour] = (before + 2 * here + after) / 4;
    before = here;
    here = after;
  }
  return smooth;
}

function add(values: number[], place: number, amount: number): void {
  values[place] = (values[place] ?? 0) + amount;
}

function sum(values: number[]): number {
  let total = 0;
  for (let place = 0; place < values.length; place++) total += values[place] as number;
  return total;
}
