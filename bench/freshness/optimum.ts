import type { IntervalPolicy } from '../../src/fetching/intervals/interval-policy.js';
import { secondsOf, type World, type WorldSource } from './world.js';

const DAY = 86_400;
const MIN_PER_DAY = 0.01;

/** Applies the same rule with perfect knowledge of a source's expected posts. */
export function knowing(source: WorldSource): IntervalPolicy {
  const rate = source.rate ?? (() => 0);
  return {
    name: 'optimum',
    beginsAnywhere: true,
    preferredInterval({ activeFollowers }, { from, price }) {
      if (activeFollowers < 1) return undefined;
      const start = secondsOf(from);
      const enough = price / activeFollowers;
      let [posts, waited, seconds] = [0, 0, 0];
      while (seconds < DAY) {
        const step = Math.max(10, Math.min(seconds / 20, 600));
        const now = rate(start + seconds + step / 2, start);
        const all = waited + posts * step + (now * step * step) / 2;
        if (all >= enough) {
          const part =
            now > 0
              ? (Math.sqrt(posts * posts + 2 * now * (enough - waited)) - posts) / now
              : (enough - waited) / posts;
          return { seconds: seconds + part, because: '', terms: {} };
        }
        waited = all;
        posts += now * step;
        seconds += step;
      }
      return { seconds: 2 * DAY, because: '', terms: {} };
    },
  };
}

const perDay = new WeakMap<WorldSource, number>();

/** Returns the average posts per day in the simulated time. */
export function knownPerDay(source: WorldSource, { end }: World): number {
  const known = perDay.get(source) ?? (source.posts.filter((at) => at >= 0).length * DAY) / end + MIN_PER_DAY;
  perDay.set(source, known);
  return known;
}
