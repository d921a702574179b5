import { aboutInWords } from '../../platform/time/in-words.js';
import { postsPerDay } from './adaptive/rhythm.js';
import { secondsUntilWorth } from './adaptive/seconds-until-worth.js';
import type { PolicyContext, PolicyInput } from './interval-policy.js';
import { usualTimes } from './usual-times.js';

/** Why the adaptive policy wishes what it does, in sentences. */
export function explainRhythm({ activeFollowers, rhythm }: PolicyInput, { from, price }: PolicyContext): string[] {
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
