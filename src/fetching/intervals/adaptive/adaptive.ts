import { explainRhythm } from '../explain-rhythm.js';
import type { IntervalPolicy } from '../interval-policy.js';
import { postsPerDay } from './rhythm.js';
import { secondsUntilWorth } from './seconds-until-worth.js';

/** Fetches a source when its followers are expected to have waited long enough for what it has posted since. */
export const adaptive: IntervalPolicy = {
  name: 'adaptive',
  beginsAnywhere: true,
  wish({ activeFollowers, rhythm }, { from, price }) {
    if (activeFollowers < 1) return undefined;
    const at = from.getTime() / 1_000;
    const seconds = secondsUntilWorth({ activeFollowers, rhythm }, { from: at, price });
    const perDay = postsPerDay(rhythm);
    return { seconds, terms: { postsPerDay: perDay, price } };
  },
  rescale: (seconds, { before, now }) => seconds * Math.sqrt(before / now),
  explain: explainRhythm,
};
