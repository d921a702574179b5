import type { Allowance } from '../../sources/fetch-states.table.js';

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const PERIOD_SECONDS: Record<string, number> = {
  hourly: 3_600,
  daily: 86_400,
  weekly: 7 * 86_400,
  monthly: 30 * 86_400,
  yearly: 365 * 86_400,
};

interface UpdateFields {
  ttlMinutes?: number | undefined;
  updatePeriod?: string | undefined;
  updateFrequency?: number | undefined;
}

export function allowanceOf(
  { ttlMinutes = 0, updatePeriod = '', updateFrequency }: UpdateFields,
  text: string,
): Allowance {
  const periodSeconds = PERIOD_SECONDS[updatePeriod.toLowerCase()] ?? 0;
  const timesInPeriod = updateFrequency && updateFrequency > 0 ? updateFrequency : 1;
  const everySeconds = Math.round(Math.max(ttlMinutes * 60, periodSeconds / timesInPeriod));
  const skipHours = listed(text, 'skipHours', 'hour').map(hourOf).filter(isDefined);
  const skipDays = listed(text, 'skipDays', 'day').map(dayOf).filter(isDefined);
  return {
    ...(everySeconds > 0 && Number.isFinite(everySeconds) && { everySeconds }),
    ...(skipHours.length > 0 && { skipHours: [...new Set(skipHours)] }),
    ...(skipDays.length > 0 && { skipDays: [...new Set(skipDays)] }),
  };
}

/** Read from the text, because the feed parser loses lists with a single entry. */
function listed(text: string, list: string, entry: string): string[] {
  const [, inner = ''] = new RegExp(`<${list}>([^]{0,2000}?)</${list}>`, 'i').exec(text) ?? [];
  return [...inner.matchAll(new RegExp(`<${entry}>\\s*(\\w+)\\s*</${entry}>`, 'gi'))].map(([, value = '']) => value);
}

/** Hour 24 means midnight. */
function hourOf(text: string): number | undefined {
  return /^\d{1,2}$/.test(text) && Number(text) <= 24 ? Number(text) % 24 : undefined;
}

function dayOf(text: string): number | undefined {
  const day = DAYS.indexOf(text.toLowerCase());
  return day < 0 ? undefined : day;
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}
