import { z } from 'zod';
import type { FoundLead } from './lead.js';
import { readCountry } from './read-country.js';

export interface NumberRange {
  min?: number | undefined;
  max?: number | undefined;
}

const UNITS: Record<string, number> = { k: 1e3, m: 1e6, mn: 1e6, million: 1e6, b: 1e9, bn: 1e9, billion: 1e9 };
const AMOUNT = `(\\d+(?:\\.\\d+)?)(${Object.keys(UNITS).join('|')})?`;
const BETWEEN = new RegExp(`^${AMOUNT}-${AMOUNT}$`);
const AT_LEAST = new RegExp(`^(?:>=?)?${AMOUNT}\\+?$`);
const AT_MOST = new RegExp(`^<=?${AMOUNT}$`);

/** Reads `11-50`, `1M-10M`, `$10M+`, `<50` and plain numbers. Amounts of money are in US dollars. */
export function readRange(text: string): NumberRange | undefined {
  const plain = text
    .slice(0, 100)
    .toLowerCase()
    .replace(/[$,\s]|usd|employees|people/g, '')
    .replace(/[–—]|to/g, '-');
  const [, from, fromUnit, to, toUnit] = BETWEEN.exec(plain) ?? [];
  if (from && to) return ordered({ min: amountOf(from, fromUnit ?? toUnit), max: amountOf(to, toUnit) });
  const [, most, mostUnit] = AT_MOST.exec(plain) ?? [];
  if (most) return { max: amountOf(most, mostUnit) };
  const [, least, leastUnit] = AT_LEAST.exec(plain) ?? [];
  if (!least) return undefined;
  const min = amountOf(least, leastUnit);
  return /[>+]/.test(plain) ? { min } : { min, max: min };
}

const amountOf = (digits: string, unit = '') => Number(digits) * (UNITS[unit] ?? 1);

const ordered = (range: NumberRange) => ((range.min ?? 0) <= (range.max ?? Infinity) ? range : undefined);

const Bound = z
  .number()
  .min(0)
  .nullish()
  .transform((bound) => bound ?? undefined);
const BOUNDS = z.union([
  z.tuple([Bound, Bound]).transform(([min, max]) => ({ min, max })),
  z.strictObject({ min: Bound, max: Bound }),
  z
    .number()
    .min(0)
    .transform((exact) => ({ min: exact, max: exact })),
  z.string().transform(readRange),
]);

const range = (example: string) =>
  z
    .unknown()
    .transform((given, context) => {
      if (given === undefined || given === null) return undefined;
      const read = BOUNDS.safeParse(given).data;
      if (read && (read.min !== undefined || read.max !== undefined) && ordered(read)) return read;
      context.addIssue({ code: 'custom', message: `a range such as ${example}, or {"min": …, "max": …}` });
      return z.NEVER;
    })
    .optional();

/** Returns an ISO 3166-1 alpha-2 code in upper case. */
export const Country = z
  .unknown()
  .transform((given, context) => {
    if (given === undefined || given === null) return undefined;
    const code = typeof given === 'string' ? readCountry(given) : undefined;
    if (code) return code;
    context.addIssue({ code: 'custom', message: 'a country, such as "de" or "Germany"' });
    return z.NEVER;
  })
  .optional();

export const CompanyFilters = z.object({
  company_size: range('"11-50" or "1000+"'),
  /** Per year, in US dollars. */
  revenue: range('"1M-10M" or "50M+"'),
  founded: range('"2010-2020" or "2015+"'),
  country: Country,
});
export type CompanyFilters = z.infer<typeof CompanyFilters>;

export function filterRefusal({ issues: [issue] }: z.ZodError): { path: string; message: string } {
  return { path: ['filters', ...(issue?.path ?? [])].join('.'), message: issue?.message ?? 'cannot be read' };
}

export function overlaps(one: NumberRange, other: NumberRange): boolean {
  return (one.min ?? 0) <= (other.max ?? Infinity) && (other.min ?? 0) <= (one.max ?? Infinity);
}

/** A lead is left out if it contradicts a filter. Most sites do not state such facts, so a missing one is no reason. */
export function matchesFilters({ companySize, founded, country }: FoundLead, filters: CompanyFilters): boolean {
  const known = country && readCountry(country);
  if (filters.country && known && known !== filters.country) return false;
  if (filters.company_size && companySize && !overlaps(filters.company_size, companySize)) return false;
  return !filters.founded || !founded || overlaps(filters.founded, { min: founded, max: founded });
}
