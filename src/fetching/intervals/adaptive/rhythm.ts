import { type Bursts, ECHO_SECONDS, fade, HYPOTHESES, noBursts, observe, ownShare } from './bursts.js';
import { type Clock, noClock, packClock, tick, unpackClock } from './clock.js';
import { countHistory, countPost, countWatched, factorAt, factorsOf, flatProfile, type Profile } from './profile.js';

/** When a source posts, as observed so far. Times are seconds since 1970. */
export interface Rhythm extends Profile, Bursts {
  at: number;
  /** Observed posts and observed days. Both decay with a half-life of FADING_DAYS. */
  posts: number;
  days: number;
  clock: Clock;
}

interface Sighting {
  at: number;
  /** Time of the previous fetch. Null for the first one, which shows the source's history. */
  since: number | null;
  published: number[];
  /** Times that were made up for posts without a date. They say how much a source posts, but not how regularly. */
  guessed?: number[];
  /** True if everything on the page was new, so that earlier posts may have been missed. */
  cut?: boolean;
}

const DAY = 86_400;
const FADING_DAYS = 30;
/** Assumption about an unknown source: one post a day, weighted like a quarter of a day of observation. */
const PRIOR = { posts: 0.25, days: 0.25 };
/** A feed without any post has probably been silent for long: this is how many days it counts as observed. */
const EMPTY_DAYS = 30;

export const newRhythm = (at: number): Rhythm => ({
  at,
  posts: 0,
  days: 0,
  clock: noClock(at),
  ...flatProfile(),
  ...noBursts(),
});

export function learn(rhythm: Rhythm | null, sighting: Sighting): Rhythm {
  const { at, since, published, guessed, cut = false } = sighting;
  const dated = sorted(published, at);
  const times = guessed?.length ? sorted(published.concat(guessed), at) : dated;
  const oldest = times[0] ?? at;
  const next = rhythm ? faded(rhythm, at) : newRhythm(at);
  for (const time of dated) tick(next.clock, time);
  if (since === null) addHistory(next, oldest, times.slice(1));
  else if (cut) addCut(next, Math.max(oldest, since), { since, times });
  else addWatched(next, Math.min(since, at), times);
  return next;
}

function sorted(times: number[], at: number): number[] {
  return times.length ? times.map((time) => Math.min(time, at)).sort((a, b) => a - b) : times;
}

/** The first fetch shows no posts at all. */
export function learnEmpty(at: number): Rhythm {
  const rhythm = newRhythm(at);
  rhythm.days = EMPTY_DAYS;
  return rhythm;
}

/** Nothing is known about the time before the oldest post shown, except that earlier echoes have faded. */
function addCut(rhythm: Rhythm, from: number, { since, times }: { since: number; times: number[] }): void {
  fade(rhythm.echoes, from - since);
  addWatched(rhythm, from, times);
}

/** The history in a feed begins with a post, so the rate is computed from the posts after it. */
function addHistory(rhythm: Rhythm, from: number, times: number[]): void {
  const { at } = rhythm;
  for (const time of times) rhythm.posts += left(at - time);
  rhythm.days += secondsLeft(at - from) / DAY;
  const perSecond = postsPerDay(rhythm) / DAY;
  const own = observe(rhythm, { from, to: at, times, usualAt: () => perSecond, usual: perSecond * (at - from) });
  for (const [n, time] of times.entries()) countPost(rhythm, time, left(at - time) * (own[n] ?? 0));
  const share = own.length ? own.reduce((sum, one) => sum + one) / own.length : ownShare(rhythm.evidence);
  countHistory(rhythm, { from, to: at }, (seconds) => share * secondsLeft(seconds));
}

function addWatched(rhythm: Rhythm, from: number, times: number[]): void {
  const { at } = rhythm;
  const factors = factorsOf(rhythm);
  const perSecond = postsPerDay(rhythm) / DAY;
  const usualAt = (time: number) => perSecond * factorAt(factors, time);
  // Only posts that were not triggered by others tell about hours, so observed time is weighted by their share.
  const weight = ownShare(rhythm.evidence);
  const seconds = countWatched(rhythm, { from, to: at, weight }, factors);
  const own = observe(rhythm, { from, to: at, times, usualAt, usual: perSecond * seconds });
  for (const [n, time] of times.entries()) countPost(rhythm, time, own[n] ?? 0);
  rhythm.posts += times.length;
  rhythm.days += seconds / DAY;
}

/** The prior counts less the more posts were observed, because a source may post every minute. */
export function postsPerDay(rhythm: Pick<Rhythm, 'posts' | 'days'> | null): number {
  const { posts, days } = rhythm ?? { posts: 0, days: 0 };
  return (posts + PRIOR.posts) / (days + PRIOR.days / (1 + posts));
}

const left = (seconds: number) => 2 ** (-seconds / DAY / FADING_DAYS);
const secondsLeft = (seconds: number) => ((FADING_DAYS * DAY) / Math.LN2) * (1 - left(seconds));

function faded(rhythm: Rhythm, at: number): Rhythm {
  const part = left(Math.max(0, at - rhythm.at));
  return {
    at,
    posts: rhythm.posts * part,
    days: rhythm.days * part,
    hours: partOf(rhythm.hours, part),
    weekdays: partOf(rhythm.weekdays, part),
    watchedHours: partOf(rhythm.watchedHours, part),
    watchedWeekdays: partOf(rhythm.watchedWeekdays, part),
    clock: { ...rhythm.clock },
    echoes: rhythm.echoes.slice(),
    evidence: partOf(rhythm.evidence, part),
  };
}

function partOf(values: number[], part: number): number[] {
  const parts = values.slice();
  for (let place = 0; place < parts.length; place++) parts[place] = (parts[place] as number) * part;
  return parts;
}

/** The column type is `real`: values too small for it become 0, where PostgreSQL would report an error. */
export function packRhythm(rhythm: Rhythm): number[] {
  const { posts, days, hours, weekdays, watchedHours, watchedWeekdays, echoes, evidence } = rhythm;
  const clock = packClock(rhythm.clock, rhythm.at);
  const packed = [posts, days].concat(hours, weekdays, watchedHours, watchedWeekdays, echoes, evidence, clock);
  for (let place = 0; place < packed.length; place++) packed[place] = Math.fround(packed[place] as number);
  return packed;
}

const [HOURS, WEEKDAYS, WATCHED_HOURS, WATCHED_WEEKDAYS, ECHOES] = [2, 26, 33, 57, 64];
const EVIDENCE = ECHOES + ECHO_SECONDS.length;
const CLOCK = EVIDENCE + HYPOTHESES.length;

export function unpackRhythm(packed: number[], at: number): Rhythm {
  const [posts = 0, days = 0] = packed;
  if (packed.length <= EVIDENCE) return { ...newRhythm(at), posts, days };
  return {
    at,
    posts,
    days,
    clock: unpackClock(packed, CLOCK, at),
    hours: packed.slice(HOURS, WEEKDAYS),
    weekdays: packed.slice(WEEKDAYS, WATCHED_HOURS),
    watchedHours: packed.slice(WATCHED_HOURS, WATCHED_WEEKDAYS),
    watchedWeekdays: packed.slice(WATCHED_WEEKDAYS, ECHOES),
    echoes: packed.slice(ECHOES, EVIDENCE),
    evidence: packed.slice(EVIDENCE, CLOCK),
  };
}
