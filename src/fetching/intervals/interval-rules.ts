import type { Config } from '../../platform/config.js';
import { aboutInWords } from '../../platform/time/in-words.js';
import { postsPerDay } from './adaptive/rhythm.js';
import { secondsUntilWorth } from './adaptive/seconds-until-worth.js';
import type { IntervalRules } from './interval.js';
import type { IntervalPolicy, PolicyContext, PolicyInput } from './interval-policy.js';
import { tiers } from './tiers.js';
import { usualTimes } from './usual-times.js';

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

const POLICIES: Record<Config['policy'], IntervalPolicy> = { adaptive, tiers };

export const INTERVAL_RULES = Symbol('interval rules');

/** Until the budget was looked at for the first time: one follower of a post a day is served about as the tiers would. */
export const FIRST_PRICE = 300;

/** Rules whose prices follow what all processes have agreed on: see `LivePrices`. */
export type LiveIntervalRules = IntervalRules & { price: number; hostPrices: ReadonlyMap<string, number> };

export function intervalRules({ policy, minIntervalMs, publicUrl, websubSafetyMs }: Config): LiveIntervalRules {
  return {
    policy: POLICIES[policy],
    floorSeconds: minIntervalMs / 1_000,
    // Without an address of ours no hub reaches us.
    safetySeconds: publicUrl ? websubSafetyMs / 1_000 : undefined,
    price: FIRST_PRICE,
    hostPrices: new Map(),
  };
}

/** Why the adaptive policy wishes what it does, in sentences. */
function explainRhythm({ activeFollowers, rhythm }: PolicyInput, { from, price }: PolicyContext): string[] {
  const at = from.getTime() / 1_000;
  const perDay = postsPerDay(rhythm);
  const often = rhythm
    ? `It posts ${rateInWords(perDay)}${usualTimes(rhythm)
        .map((when) => `, ${when}`)
        .join('')}.`
    : `Nothing is known yet about when it posts, so it is taken to post ${rateInWords(perDay)}.`;
  const seconds = secondsUntilWorth({ activeFollowers, rhythm }, { from: at, price });
  const waited = activeFollowers === 1 ? 'its follower has' : 'its followers have, all together,';
  return [
    often,
    `Just now a fetch is worth its while when ${waited} waited ${aboutInWords(price)} for posts; by what is expected of it, that is ${aboutInWords(seconds)} after the last one.`,
  ];
}

/** `3.2` → "about 3 times a day", `0.3` → "about twice a week". */
function rateInWords(perDay: number): string {
  if (perDay >= 0.75) return `about ${times(perDay)} a day`;
  if (perDay >= 0.75 / 7) return `about ${times(perDay * 7)} a week`;
  return perDay >= 0.75 / 30 ? `about ${times(perDay * 30)} a month` : 'less than once a month';
}

function times(count: number): string {
  const rounded = Math.round(count);
  if (rounded <= 1) return 'once';
  return rounded === 2 ? 'twice' : `${rounded} times`;
}
