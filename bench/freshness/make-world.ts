import { evenHours, type HumanHours, humanHours } from './hours.js';
import { cascadingPosts, machinePosts, plainPosts, postsWithEvents } from './posts.js';
import { Random } from './random.js';
import { type Following, SHOWN, type World, type WorldSource } from './world.js';

/** The parameters of a generated world. */
export interface WorldPlan {
  seed: number;
  sources: number;
  days: number;
  followers: (random: Random) => number;
  postsPerDay: (random: Random) => number;
  posts: 'plain' | 'events' | 'cascades';
  /** Whether sources follow days and nights, weekends and time zones. */
  human: boolean;
  hours?: HumanHours;
  /** The number of posts that a feed shows. */
  shown?: number;
  /** Whether followers come and go. */
  restless?: boolean;
  /**
   * Shares of the sources that change their habits, that post at fixed times, or that limit how often they may be
   * fetched.
   */
  changing?: number;
  machines?: number;
  limited?: number;
  /** The periods of sources that post at fixed times, in seconds. */
  periods?: readonly number[];
}

const DAY = 86_400;
const HISTORY_DAYS = 365;
/** The history has a few more posts than a feed shows. */
const MORE_POSTS = 15;

export function makeWorld(plan: WorldPlan): World {
  const random = new Random(plan.seed);
  const sources = Array.from({ length: plan.sources }, (_, index) => makeSource(plan, `${index}`, random));
  return { sources, end: plan.days * DAY };
}

function makeSource(plan: WorldPlan, id: string, random: Random): WorldSource {
  const end = plan.days * DAY;
  const active = plan.followers(random);
  const limited = random.next() < (plan.limited ?? 0);
  return {
    id,
    followers: plan.restless ? comingAndGoing(active, end, random) : [{ at: 0, active }],
    ...(plan.shown ? { shown: plan.shown } : {}),
    ...(limited ? { minIntervalSeconds: random.pick([900, 1_800, 3_600]) } : {}),
    ...postsOf(plan, end, random),
  };
}

function postsOf(plan: WorldPlan, end: number, random: Random): Pick<WorldSource, 'posts' | 'rate'> {
  const perSecond = plan.postsPerDay(random) / DAY;
  const begin = -Math.min(HISTORY_DAYS * DAY, ((plan.shown ?? SHOWN) + MORE_POSTS) / perSecond + 3 * DAY);
  const habit = habitOf(plan, end, random);
  const hours = plan.human ? humanHours(random, plan.hours ?? {}) : evenHours;
  const usual = (at: number) => perSecond * hours(at) * habit(at);
  const stage = { begin, end, perSecond, most: perSecond * 30, random };
  if (random.next() < (plan.machines ?? 0)) return machinePosts(stage, plan.periods);
  if (plan.posts === 'events') return postsWithEvents(usual, stage);
  return plan.posts === 'cascades' ? cascadingPosts(usual, stage) : plainPosts(usual, stage);
}

/** From some day on, a changing source posts a tenth or five times as much. */
function habitOf({ changing = 0 }: WorldPlan, end: number, random: Random): (at: number) => number {
  if (random.next() >= changing) return () => 1;
  const [from, factor] = [random.between(0.2, 0.8) * end, random.pick([0.1, 5])];
  return (at) => (at > from ? factor : 1);
}

function comingAndGoing(most: number, end: number, random: Random): Following[] {
  const followers = [{ at: random.next() < 0.7 ? 0 : random.next() * end, active: most }];
  for (let at = (followers[0]?.at ?? 0) + random.wait() * DAY; at < end; at += random.wait() * DAY) {
    followers.push({ at, active: Math.floor(most * random.between(0, 1.5)) });
  }
  return followers;
}
