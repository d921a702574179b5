import type { Random } from './random.js';
import { START } from './world.js';

const HOUR = 3_600;
const DAY = 86_400;
const QUARTER = 900;
/** Hours ahead of UTC where most people live. */
const ZONES = [-8, -5, -3, 0, 1, 1, 2, 5.5, 8, 9];

/** Returns the posting rate at a time, relative to the average. */
export type Hours = (at: number) => number;

export const evenHours: Hours = () => 1;

export interface HumanHours {
  /** Hours ahead of UTC. */
  zones?: readonly number[];
  /** The range of how active a day of a weekend is, relative to other days. */
  weekend?: readonly [number, number];
}

/** Returns the hours of a person with days and nights, working days and weekends, in a random time zone. */
export function humanHours(random: Random, { zones = ZONES, weekend: [least, most] = [0.2, 1.1] }: HumanHours): Hours {
  const zone = random.pick(zones) * HOUR;
  const [peak, sharpness] = [random.between(9, 20), random.between(0, 3)];
  const quarters = Array.from({ length: DAY / QUARTER }, (_, quarter) =>
    Math.exp(sharpness * Math.cos(((quarter / 4 - peak) / 24) * 2 * Math.PI)),
  );
  const mean = quarters.reduce((sum, value) => sum + value) / quarters.length;
  const weekend = random.between(least, most);
  const week = (5 + 2 * weekend) / 7;
  return (at) => {
    const local = START + at + zone;
    const weekday = (Math.floor(local / DAY) + 4) % 7;
    const share = (quarters[Math.floor((local % DAY) / QUARTER)] ?? 1) / mean;
    return (share * (weekday === 0 || weekday === 6 ? weekend : 1)) / week;
  };
}
