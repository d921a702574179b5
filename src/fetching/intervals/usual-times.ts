import type { Profile } from './adaptive/profile.js';

const ENOUGH_POSTS = 20;
/** Hours and days that were observed for less than this part of their even share are not judged. */
const WATCHED = 0.25;
const MIN_SHARE = 0.8;
const MAX_HOURS = 12;
/** A weekday with less than this part of its even share counts as quiet. */
const HARDLY = 0.25;

const DAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'];

export function usualTimes(profile: Profile): string[] {
  const { hours, watchedHours, weekdays, watchedWeekdays } = profile;
  const words = [
    knownWell(hours, watchedHours) ? hoursInWords(perSecond(hours, watchedHours)) : undefined,
    knownWell(weekdays, watchedWeekdays) ? daysInWords(perSecond(weekdays, watchedWeekdays)) : undefined,
  ];
  return words.filter((some) => some !== undefined);
}

function knownWell(posts: number[], watched: number[]): boolean {
  return sum(posts) >= ENOUGH_POSTS && Math.min(...watched) >= (WATCHED * sum(watched)) / watched.length;
}

const perSecond = (posts: number[], watched: number[]) => posts.map((count, place) => count / (watched[place] || 1));

function hoursInWords(hours: number[]): string | undefined {
  const total = sum(hours);
  for (let length = 1; length <= MAX_HOURS; length++) {
    const spans = hours.map((_, from) => ({ from, posts: within(hours, from, length) }));
    const best = spans.reduce((a, b) => (b.posts > a.posts ? b : a));
    if (best.posts >= MIN_SHARE * total) return `mostly between ${best.from} and ${(best.from + length) % 24} UTC`;
  }
  return undefined;
}

function daysInWords(weekdays: number[]): string | undefined {
  const total = sum(weekdays);
  const isQuiet = (posts: number) => posts < (HARDLY * total) / 7;
  const quiet = DAYS.filter((_, day) => isQuiet(weekdays[day] ?? 0));
  if (!quiet.length) return undefined;
  if (quiet.length <= 3) return `rarely on ${listed(quiet)}`;
  return `mostly on ${listed(DAYS.filter((day) => !quiet.includes(day)))}`;
}

const within = (hours: number[], from: number, length: number) =>
  sum(Array.from({ length }, (_, hour) => hours[(from + hour) % 24] ?? 0));
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
const listed = (words: string[]) => [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' and ');
