import { SeededRandom } from '../seeded-random.js';
import type { Publication } from './publication.js';

/** Milliseconds between the posts of a burst. */
const BURST_STEP_MS = 1_700;

/** The seed and the start of the demo. */
export interface Age {
  seed: number;
  startedAt: Date;
}

type Timed = Pick<Publication, 'slug' | 'rhythm' | 'past'>;

/** When a post appears. Posts are numbered from 1, the oldest; those before the start of the demo come first. */
export function postTime({ slug, rhythm, past }: Timed, number: number, { seed, startedAt }: Age): Date {
  const live = number - past.posts;
  const offset =
    live > 0
      ? liveOffset(rhythm, live, jitter(seed, slug, number))
      : pastOffset(past, live - 1, jitter(seed, slug, number));
  return new Date(startedAt.getTime() + offset);
}

/** How many posts a publication has at that time. */
export function postCount(publication: Timed, age: Age, now: Date): number {
  const { rhythm, past } = publication;
  if (rhythm === 'silent') return past.posts;
  const elapsed = now.getTime() - age.startedAt.getTime();
  const perRound = 'burst' in rhythm ? rhythm.burst : 1;
  let count = past.posts + Math.max(0, Math.floor(elapsed / (rhythm.everySeconds * 1_000)) - 1) * perRound;
  while (postTime(publication, count + 1, age) <= now) count += 1;
  return count;
}

/** A random shift of less than half a step in either direction, so that posts keep their order. */
function jitter(seed: number, slug: string, number: number): number {
  return (new SeededRandom(seed, slug, number, 'time').next() - 0.5) * 0.8;
}

/** `number` is -1 for the newest post before the start of the demo. */
function pastOffset({ everyHours }: Publication['past'], number: number, shift: number): number {
  return Math.round((number + 0.5 + shift) * everyHours * 3_600) * 1_000;
}

function liveOffset(rhythm: Publication['rhythm'], number: number, shift: number): number {
  if (rhythm === 'silent') return Number.POSITIVE_INFINITY;
  const everyMs = rhythm.everySeconds * 1_000;
  if (!('burst' in rhythm)) return Math.round((number - 0.5 + shift) * everyMs);
  const round = Math.floor((number - 1) / rhythm.burst);
  return Math.round((round + 0.25) * everyMs) + ((number - 1) % rhythm.burst) * BURST_STEP_MS;
}
