import { type Bursts, ECHO_SECONDS, fade, hear, noBursts, ownShare } from './bursts.js';
import { countHistory, countPost, countWatched, factorAt, factorsOf, flatProfile, type Profile } from './profile.js';

/** When a source posts, as far as it was seen. Times are seconds since 1970. */
export interface Rhythm extends Profile, Bursts {
  /** As of when. */
  at: number;
  /** Posts that were seen, and the days that were watched; both fade. */
  posts: number;
  days: number;
}

/** What a fetch has shown. */
interface Sighting {
  at: number;
  /** When the source was seen before; null at the first time, which shows its history. */
  since: number | null;
  /** When the posts were published that were not known. */
  published: number[];
  /** All that was shown was new: more may have come and gone unseen before. */
  cut?: boolean;
}

const DAY = 86_400;
/** After so long half of what was seen is left. */
const FADING_DAYS = 30;
/** A source of which nothing is known: one post a day, on the strength of half a day. */
const PRIOR = { posts: 0.5, days: 0.5 };

export const newRhythm = (at: number): Rhythm => ({ at, posts: 0, days: 0, ...flatProfile(), ...noBursts() });

export function learn(rhythm: Rhythm | null, { at, since, published, cut = false }: Sighting): Rhythm {
  const times = published.map((time) => Math.min(time, at)).sort((a, b) => a - b);
  const oldest = times[0] ?? at;
  const next = rhythm ? faded(rhythm, at) : newRhythm(at);
  if (since === null) addHistory(next, oldest, times.slice(1));
  else if (cut) addCut(next, Math.max(oldest, since), { since, times });
  else addWatched(next, Math.min(since, at), times);
  return next;
}

/** Nothing is known of the time before the oldest that was shown, but that echoes of what came earlier have faded. */
function addCut(rhythm: Rhythm, from: number, { since, times }: { since: number; times: number[] }): void {
  fade(rhythm.echoes, from - since);
  addWatched(rhythm, from, times);
}

/** What a feed shows begins with a post: how often more of them came is counted from there. */
function addHistory(rhythm: Rhythm, from: number, times: number[]): void {
  const { at } = rhythm;
  for (const time of times) rhythm.posts += left(at - time);
  rhythm.days += secondsLeft(at - from) / DAY;
  const perSecond = postsPerDay(rhythm) / DAY;
  const own = hear(rhythm, { from, to: at, times, usualAt: () => perSecond, usual: perSecond * (at - from) });
  for (const [n, time] of times.entries()) countPost(rhythm, time, left(at - time) * (own[n] ?? 0));
  const share = own.length ? own.reduce((sum, one) => sum + one) / own.length : ownShare(rhythm.evidence);
  countHistory(rhythm, { from, to: at }, (seconds) => share * secondsLeft(seconds));
}

/** Every second counts for as much as its hour usually brings. */
function addWatched(rhythm: Rhythm, from: number, times: number[]): void {
  const { at } = rhythm;
  const factors = factorsOf(rhythm);
  const perSecond = postsPerDay(rhythm) / DAY;
  const usualAt = (time: number) => perSecond * factorAt(factors, time);
  // Only posts that no other has brought tell about hours: what is expected of a watched hour is no more than those.
  const weight = ownShare(rhythm.evidence);
  const seconds = countWatched(rhythm, { from, to: at, weight }, factors);
  const own = hear(rhythm, { from, to: at, times, usualAt, usual: perSecond * seconds });
  for (const [n, time] of times.entries()) countPost(rhythm, time, own[n] ?? 0);
  rhythm.posts += times.length;
  rhythm.days += seconds / DAY;
}

/** The more was seen, the less counts what was assumed before: a source may well post every minute. */
export function postsPerDay(rhythm: Pick<Rhythm, 'posts' | 'days'> | null): number {
  const { posts, days } = rhythm ?? { posts: 0, days: 0 };
  return (posts + PRIOR.posts) / (days + PRIOR.days / (1 + posts));
}

const left = (seconds: number) => 2 ** (-seconds / DAY / FADING_DAYS);
/** What is left of all the seconds of a time that has just ended. */
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
    echoes: rhythm.echoes.slice(),
    evidence: partOf(rhythm.evidence, part),
  };
}

function partOf(values: number[], part: number): number[] {
  const parts = values.slice();
  for (let place = 0; place < parts.length; place++) parts[place] = (parts[place] as number) * part;
  return parts;
}

/** As a row keeps it. */
export function packRhythm(rhythm: Rhythm): number[] {
  const { posts, days, hours, weekdays, watchedHours, watchedWeekdays, echoes, evidence } = rhythm;
  return [posts, days].concat(hours, weekdays, watchedHours, watchedWeekdays, echoes, evidence);
}

const [HOURS, WEEKDAYS, WATCHED_HOURS, WATCHED_WEEKDAYS, ECHOES] = [2, 26, 33, 57, 64];
const EVIDENCE = ECHOES + ECHO_SECONDS.length;

export function unpackRhythm(packed: number[], at: number): Rhythm {
  const [posts = 0, days = 0] = packed;
  if (packed.length <= EVIDENCE) return { ...newRhythm(at), posts, days };
  return {
    at,
    posts,
    days,
    hours: packed.slice(HOURS, WEEKDAYS),
    weekdays: packed.slice(WEEKDAYS, WATCHED_HOURS),
    watchedHours: packed.slice(WATCHED_HOURS, WATCHED_WEEKDAYS),
    watchedWeekdays: packed.slice(WATCHED_WEEKDAYS, ECHOES),
    echoes: packed.slice(ECHOES, EVIDENCE),
    evidence: packed.slice(EVIDENCE),
  };
}
