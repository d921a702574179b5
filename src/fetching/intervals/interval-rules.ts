import type { Config } from '../../platform/config.js';
import { aboutInWords } from '../../platform/time/in-words.js';
import { secondsUntilPosted } from './adaptive/clock.js';
import { postsPerDay } from './adaptive/rhythm.js';
import { secondsUntilWorth } from './adaptive/seconds-until-worth.js';
import type { IntervalRules } from './interval.js';
import type { IntervalPolicy, PolicyContext, PolicyInput } from './interval-policy.js';
import { tiers } from './tiers.js';
import { usualTimes } from './usual-times.js';

export const adaptive: IntervalPolicy = {
  name: 'adaptive',
  beginsAnywhere: true,
  preferredInterval(input, context) {
    if (input.activeFollowers < 1) return undefined;
    const { seconds, exact } = worthwhile(input, context);
    return { seconds, exact, terms: { postsPerDay: postsPerDay(input.rhythm), price: context.price } };
  },
  rescale: (seconds, { before, now }) => seconds * Math.sqrt(before / now),
  explain: explainRhythm,
};

function worthwhile({ activeFollowers, rhythm }: PolicyInput, { from, price }: PolicyContext) {
  const at = from.getTime() / 1_000;
  const posted = rhythm && secondsUntilPosted(rhythm.clock, { from: at, enough: price / activeFollowers });
  if (posted) return { seconds: posted, exact: true };
  return { seconds: secondsUntilWorth({ activeFollowers, rhythm }, { from: at, price }), exact: false };
}

const POLICIES: Record<Config['policy'], IntervalPolicy> = { adaptive, tiers };

export const INTERVAL_RULES = Symbol('interval rules');

/** Used until the budget is computed: one follower and one post a day give about the interval of the tier. */
export const FIRST_PRICE = 300;

export type LiveIntervalRules = IntervalRules & { price: number; hostPrices: ReadonlyMap<string, number> };

export function intervalRules({ policy, minIntervalMs, publicUrl, websubSafetyMs }: Config): LiveIntervalRules {
  return {
    policy: POLICIES[policy],
    floorSeconds: minIntervalMs / 1_000,
    // Without a public URL no hub can reach us.
    safetySeconds: publicUrl ? websubSafetyMs / 1_000 : undefined,
    price: FIRST_PRICE,
    hostPrices: new Map(),
  };
}

function explainRhythm(input: PolicyInput, context: PolicyContext): string[] {
  const { activeFollowers, rhythm } = input;
  const perDay = postsPerDay(rhythm);
  const { seconds, exact } = worthwhile(input, context);
  if (rhythm && exact) {
    const often = `It posts regularly, about every ${aboutInWords(rhythm.clock.period)}.`;
    return [often, `A fetch is due just after a post that is expected ${aboutInWords(seconds)} after the last fetch.`];
  }
  const often = rhythm
    ? `It posts ${rateInWords(perDay)}${usualTimes(rhythm)
        .map((when) => `, ${when}`)
        .join('')}.`
    : `Nothing is known yet about when it posts, so it is assumed to post ${rateInWords(perDay)}.`;
  const isShared = activeFollowers > 1;
  const waited = `${isShared ? 'its followers have' : 'its follower has'} waited ${aboutInWords(context.price)} for posts${isShared ? ' in total' : ''}`;
  return [often, `A fetch is due once ${waited}, which is expected ${aboutInWords(seconds)} after the last fetch.`];
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
