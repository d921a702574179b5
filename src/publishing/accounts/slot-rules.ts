import { z } from 'zod';
import { Zone } from '../publications/wall-clock.js';

export interface SlotRules {
  timezone: string;
  /** `days` counts from 1 (Monday) to 7; `time` has the form 09:00. */
  times: { days: number[]; time: string }[];
}

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const Day = z.enum(DAYS);

const MAX_RATIO = 100;

export const SlotRulesView = z.strictObject({
  timezone: z.string(),
  times: z.array(z.strictObject({ days: z.array(Day), time: z.string() })),
});

const GivenTime = z.strictObject({
  days: z.array(Day).min(1),
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time such as 09:00'),
});

export const GivenSlotRules = z
  .strictObject({ timezone: Zone, times: z.array(GivenTime).min(1).max(MAX_RATIO) })
  .transform(({ timezone, times }): SlotRules => ({ timezone, times: times.map(toNumbers) }));

export const toSlotRulesView = ({ timezone, times }: SlotRules): z.infer<typeof SlotRulesView> => ({
  timezone,
  times: times.map(({ days, time }) => ({ days: DAYS.filter((_, at) => days.includes(at + 1)), time })),
});

const toNumbers = ({ days, time }: z.infer<typeof GivenTime>) => ({
  days: [...new Set(days)].map((day) => DAYS.indexOf(day) + 1).toSorted((a, b) => a - b),
  time,
});
