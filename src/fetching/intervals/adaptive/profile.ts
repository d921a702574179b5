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
/** Posts assumed in each hour when a curve is fitted to all hours, so that a few posts give an almost flat curve. */
const EVEN_IN_HOUR = 0.1;
/** Posts assumed in each hour or weekday as the curve or the part of the week has them. */
const CURVE_IN_HOUR = 10;
const PART_IN_WEEKDAY = 20;
/** Most sources post less on weekends: a day of a weekend is assumed to have this many posts, others have more. */
const WEEKEND = 0.75;
const WORKDAY = (7 - 2 * WEEKEND) / 5;
/** Posts assumed on the weekends and on the other days that were observed. */
const ASSUMED_ON_WEEKENDS = 4;
const ASSUMED_ON_WORKDAYS = 10;
/** Above this concentration of posts, the curve would depend on its hours of fewest posts too much. */
const MAX_CONCENTRATION = 0.85;
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
  return { hours: hourFactors(hours, watchedHours), weekdays: weekdayFactors(weekdays, watchedWeekdays) };
}

export const factorAt = ({ hours, weekdays }: Factors, at: number): number =>
  (hours[hourOf(at)] ?? 1) * (weekdays[weekdayOf(at)] ?? 1);

/** Days have one peak for most sources, so hours are compared with a smooth curve rather than with each other. */
function hourFactors(posts: number[], watched: number[]): number[] {
  const perSecond = ratePerSecond(posts, watched);
  const factors = dailyCurve(posts, watched, perSecond);
  let total = 0;
  for (let hour = 0; hour < 24; hour++) {
    const before = hour ? hour - 1 : 23;
    const after = hour < 23 ? hour + 1 : 0;
    const near = ((posts[before] as number) + 2 * (posts[hour] as number) + (posts[after] as number)) / 4;
    const seconds = ((watched[before] as number) + 2 * (watched[hour] as number) + (watched[after] as number)) / 4;
    const factor = (near + CURVE_IN_HOUR * (factors[hour] as number)) / (seconds * perSecond + CURVE_IN_HOUR);
    factors[hour] = factor;
    total += factor;
  }
  return scaled(factors, 24 / total);
}

const angleOf = (hour: number) => ((hour + 0.5) / 12) * Math.PI;
const COS = Array.from({ length: 24 }, (_, hour) => Math.cos(angleOf(hour)));
const SIN = Array.from({ length: 24 }, (_, hour) => Math.sin(angleOf(hour)));

/** Fits a von Mises distribution: a normal distribution on a circle of 24 hours. */
function dailyCurve(posts: number[], watched: number[], perSecond: number): number[] {
  let total = 0;
  let cos = 0;
  let sin = 0;
  for (let hour = 0; hour < 24; hour++) {
    const ratio = ((posts[hour] as number) + EVEN_IN_HOUR) / ((watched[hour] as number) * perSecond + EVEN_IN_HOUR);
    total += ratio;
    cos += ratio * (COS[hour] as number);
    sin += ratio * (SIN[hour] as number);
  }
  const found = Math.sqrt(cos * cos + sin * sin);
  const scale = found > 0 ? sharpness(Math.min(found / total, MAX_CONCENTRATION)) / found : 0;
  const curve = posts.slice();
  let area = 0;
  for (let hour = 0; hour < 12; hour++) {
    const height = Math.exp(scale * (cos * (COS[hour] as number) + sin * (SIN[hour] as number)));
    curve[hour] = height;
    curve[hour + 12] = 1 / height;
    area += height + 1 / height;
  }
  return scaled(curve, 24 / area);
}

/** The usual approximation of the parameter of a von Mises distribution by the mean resultant length. */
function sharpness(length: number): number {
  const square = length * length;
  if (length < 0.53) return length * (2 + square + (5 / 6) * square * square);
  return -0.4 + 1.39 * length + 0.43 / (1 - length);
}

/** Weekdays are compared with the average of their part of the week, of which two weeks already tell enough. */
function weekdayFactors(posts: number[], watched: number[]): number[] {
  const perSecond = ratePerSecond(posts, watched);
  const weekend = weekendFactor(posts, watched, perSecond);
  const workday = (7 - 2 * weekend) / 5;
  const factors = posts.slice();
  let total = 0;
  for (let weekday = 0; weekday < 7; weekday++) {
    const assumed = PART_IN_WEEKDAY * (weekday === 0 || weekday === 6 ? weekend : workday);
    const expected = (watched[weekday] as number) * perSecond;
    const factor = ((posts[weekday] as number) + assumed) / (expected + PART_IN_WEEKDAY);
    factors[weekday] = factor;
    total += factor;
  }
  return scaled(factors, 7 / total);
}

/** Returns the posts of a day of a weekend, relative to the average. */
function weekendFactor(posts: number[], watched: number[], perSecond: number): number {
  let onWorkdays = 0;
  let expected = 0;
  for (let weekday = 1; weekday < 6; weekday++) {
    onWorkdays += posts[weekday] as number;
    expected += (watched[weekday] as number) * perSecond;
  }
  const seconds = (watched[0] as number) + (watched[6] as number);
  const onWeekends = (posts[0] as number) + (posts[6] as number);
  const weekend = (onWeekends + ASSUMED_ON_WEEKENDS * WEEKEND) / (seconds * perSecond + ASSUMED_ON_WEEKENDS);
  const workday = (onWorkdays + ASSUMED_ON_WORKDAYS * WORKDAY) / (expected + ASSUMED_ON_WORKDAYS);
  return (7 * weekend) / (2 * weekend + 5 * workday);
}

function add(values: number[], place: number, amount: number): void {
  values[place] = (values[place] ?? 0) + amount;
}

function ratePerSecond(posts: number[], watched: number[]): number {
  let [count, seconds] = [0, 0];
  for (let place = 0; place < posts.length; place++) {
    count += posts[place] as number;
    seconds += watched[place] as number;
  }
  return count / Math.max(seconds, 1);
}

function scaled(values: number[], scale: number): number[] {
  for (let place = 0; place < values.length; place++) values[place] = (values[place] as number) * scale;
  return values;
}
