import { Temporal } from 'temporal-polyfill';
import { toInstant } from '../publications/wall-clock.js';
import type { SlotRules } from './slot-rules.js';

const LOOK_AHEAD_DAYS = 366;

/** When clocks go forward, two rules may mean one instant, which is one slot. */
export function* nextSlots({ timezone, times }: SlotRules, after: Date): Generator<Date> {
  const today = Temporal.Instant.fromEpochMilliseconds(after.getTime()).toZonedDateTimeISO(timezone).toPlainDate();
  let last = after.getTime();
  for (let days = 0; days <= LOOK_AHEAD_DAYS; days += 1) {
    const day = today.add({ days });
    const ofDay = times.filter((rule) => rule.days.includes(day.dayOfWeek));
    const instants = ofDay.map(({ time }) => toInstant(`${day}T${time}`, timezone).getTime());
    for (const instant of instants.toSorted((a, b) => a - b)) {
      if (instant > last) yield new Date(instant);
      last = Math.max(last, instant);
    }
  }
}
