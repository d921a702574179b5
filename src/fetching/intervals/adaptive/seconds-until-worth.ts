import { ECHO_SECONDS, HYPOTHESES, trust } from './bursts.js';
import { endOfHour, factorAt, factorsOf } from './profile.js';
import { newRhythm, postsPerDay, type Rhythm } from './rhythm.js';

interface ObservedSource {
  rhythm: Rhythm | null;
  activeFollowers: number;
}

const DAY = 86_400;
const NEAR_SECONDS = 0.5;
const TRUSTED = 0.005;

/** Seconds after `from` until all followers together are expected to have waited `price` seconds for new posts. */
export function secondsUntilWorth(
  { rhythm, activeFollowers }: ObservedSource,
  { price, from }: { price: number; from: number },
): number {
  const known = rhythm ?? newRhythm(from);
  const perSecond = postsPerDay(known) / DAY;
  const echoes = echoesAt(known, from);
  const factors = factorsOf(known);
  const enough = price / activeFollowers;
  let state: Expected = { posts: 0, waited: 0 };
  for (let at = from; at < from + DAY; ) {
    const end = Math.min(endOfHour(at), from + DAY);
    const hour: Hour = { state, echoes, after: at - from, usual: perSecond * factorAt(factors, at) };
    const next = expectedAfter(hour, end - at);
    if (next.waited >= enough) return at - from + within(hour, end - at, enough);
    state = next;
    at = end;
  }
  return DAY + (Math.sqrt(state.posts ** 2 + 2 * perSecond * (enough - state.waited)) - state.posts) / perSecond;
}

/** The wait is that of one follower for all posts, in seconds. */
interface Expected {
  posts: number;
  waited: number;
}

/** A period with a constant rate of posts, at most one hour long. */
interface Hour {
  state: Expected;
  echoes: Echo[];
  after: number;
  /** Posts per second. */
  usual: number;
}

/** A hypothesis replaces this share of the usual rate by `perSecond`, which decays at `fading`. */
interface Echo {
  share: number;
  perSecond: number;
  fading: number;
}

function echoesAt(rhythm: Rhythm, from: number): Echo[] {
  const trusted = trust(rhythm.evidence);
  const unseen = Math.max(0, from - rhythm.at);
  const found: Echo[] = [];
  for (const [place, { share, echo }] of HYPOTHESES.entries()) {
    const weight = (trusted[place] ?? 0) * share;
    if (weight < TRUSTED) continue;
    const seconds = ECHO_SECONDS[echo] ?? 1;
    const left = (rhythm.echoes[echo] ?? 0) * Math.exp(-unseen / seconds);
    found.push({ share: weight, perSecond: (weight * left) / seconds, fading: (1 - share) / seconds });
  }
  return found;
}

function expectedAfter({ state, echoes, after, usual }: Hour, seconds: number): Expected {
  let posts = state.posts + usual * seconds;
  let waited = state.waited + state.posts * seconds + (usual * seconds * seconds) / 2;
  for (const { share, perSecond, fading } of echoes) {
    const excess = (perSecond - share * usual) * Math.exp(-fading * after);
    const left = Math.exp(-fading * seconds);
    posts += (excess / fading) * (1 - left);
    waited += (excess / (fading * fading)) * (fading * seconds - 1 + left);
  }
  return { posts, waited };
}

/** Uses Newton's method, and bisection where a step would leave the bounds. */
function within(hour: Hour, seconds: number, enough: number): number {
  let [low, high] = [0, seconds];
  for (let guess = seconds / 2; high - low > NEAR_SECONDS; ) {
    const { posts, waited } = expectedAfter(hour, guess);
    if (waited < enough) low = guess;
    else high = guess;
    const step = (enough - waited) / posts;
    if (Math.abs(step) < NEAR_SECONDS / 2) return Math.max(guess + step, NEAR_SECONDS / 2);
    guess = guess + step > low && guess + step < high ? guess + step : (low + high) / 2;
  }
  return high;
}
