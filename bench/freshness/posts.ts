import type { Random } from './random.js';
import type { WorldSource } from './world.js';

const HOUR = 3_600;
const DAY = 86_400;

interface Stage {
  begin: number;
  end: number;
  /** The maximum usual rate, in posts per second. */
  most: number;
  random: Random;
}

type Rate = (at: number) => number;
type Posted = Required<Pick<WorldSource, 'posts' | 'rate'>>;

/** Generates independent posts. */
export function plainPosts(usual: Rate, { begin, end, most, random }: Stage): Posted {
  const posts: number[] = [];
  for (let at = begin + random.wait() / most; at < end; at += random.wait() / most) {
    if (random.next() * most < usual(at)) posts.push(at);
  }
  return { posts, rate: usual };
}

interface Window {
  from: number;
  to: number;
  /** Additional posts per second. */
  extra: number;
}

/** At six of ten sources events happen now and then, during which they post many times as much for an hour or two. */
export function postsWithEvents(usual: Rate, stage: Stage & { perSecond: number }): Posted {
  const { random, end, perSecond } = stage;
  const windows = random.next() < 0.6 ? eventsOf(stage) : [];
  const { posts } = plainPosts(usual, stage);
  for (const { from, to, extra } of windows) {
    for (let at = from + random.wait() / extra; at < Math.min(to, end); at += random.wait() / extra) posts.push(at);
  }
  const extraAt = (at: number) => {
    let sum = 0;
    for (const { from, to, extra } of windows) if (at >= from && at < to) sum += extra;
    return sum;
  };
  const rate: Rate = windows.length ? (at) => usual(at) + extraAt(at) : usual;
  return { posts: posts.sort((a, b) => a - b), rate: perSecond > 0 ? rate : usual };
}

function eventsOf({ begin, end, perSecond, random }: Stage & { perSecond: number }): Window[] {
  const every = random.between(1, 6) * DAY;
  const windows: Window[] = [];
  for (let from = begin + random.wait() * every; from < end; from += random.wait() * every) {
    windows.push({ from, to: from + random.between(0.5, 3) * HOUR, extra: random.between(4, 20) * perSecond });
  }
  return windows;
}

/** At six of ten sources a post causes others, which cause more: replies, corrections, news of the same event. */
export function cascadingPosts(usual: Rate, stage: Stage): Posted {
  const { random, end } = stage;
  const share = random.next() < 0.4 ? 0 : random.between(0.2, 0.8);
  if (!share) return plainPosts(usual, stage);
  const seconds = 600 * 20 ** random.next();
  const { posts } = plainPosts((at) => usual(at) * (1 - share), stage);
  // The loop also visits the posts that it appends.
  for (const parent of posts) {
    for (let children = random.poisson(share); children > 0; children--) {
      const at = parent + random.wait() * seconds;
      if (at < end) posts.push(at);
    }
  }
  posts.sort((a, b) => a - b);
  const echoAt = echoes(posts, seconds);
  const rate = (at: number, from: number) => {
    const left = Math.exp((-(1 - share) * (at - from)) / seconds);
    return usual(at) * (1 - share * left) + ((share * echoAt(from)) / seconds) * left;
  };
  return { posts, rate };
}

/**
 * Returns the remaining influence of all earlier posts, where a third of each post's influence is left after
 * `seconds`.
 */
function echoes(posts: number[], seconds: number): (at: number) => number {
  const after = new Float64Array(posts.length);
  posts.forEach((at, place) => {
    const gap = at - (posts[place - 1] ?? at);
    after[place] = 1 + (place ? (after[place - 1] ?? 0) * Math.exp(-gap / seconds) : 0);
  });
  let last = { at: Number.NaN, left: 0 };
  return (at) => {
    if (at === last.at) return last.left;
    const place = lastUntil(posts, at);
    const left = place < 0 ? 0 : (after[place] ?? 0) * Math.exp(-(at - (posts[place] ?? at)) / seconds);
    last = { at, left };
    return left;
  };
}

const PERIODS = [900, 1_800, HOUR, 2 * HOUR, 6 * HOUR, DAY, DAY];

/** Generates posts at fixed times, give or take a minute. */
export function machinePosts({ begin, end, random }: Stage, periods = PERIODS as readonly number[]) {
  const every = random.pick(periods);
  const posts: number[] = [];
  for (let at = Math.max(begin, -40 * every) + random.next() * every; at < end; at += every) {
    posts.push(at + random.next() * 60);
  }
  return { posts: posts.filter((at) => at < end) };
}

/** Returns the index of the last post until `at`, or -1 if there is none. */
export function lastUntil(posts: number[], at: number): number {
  let [low, high] = [0, posts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((posts[middle] ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
