import { countOf } from '../../design/count-of';

const UNITS: [name: string, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** "every minute", "every 2 hours", "every 90 minutes". */
export function intervalText(seconds: number | null): string {
  if (seconds === null) return 'not scheduled';
  const whole = Math.max(1, Math.round(seconds));
  const [name, size] = UNITS.find(([, unit]) => whole >= 2 * unit || whole === unit) ?? ['second', 1];
  const times = Math.round(whole / size);
  return times === 1 ? `every ${name}` : `every ${countOf(times, name)}`;
}
