import { describe, expect, it } from 'vitest';
import { CompanyFilters, matchesFilters, readRange } from './company-filters.js';

describe('a range', () => {
  it.each([
    ['11-50', { min: 11, max: 50 }],
    ['51 – 200 employees', { min: 51, max: 200 }],
    ['10,001+', { min: 10_001 }],
    ['>100', { min: 100 }],
    ['<= 50', { max: 50 }],
    ['2015', { min: 2015, max: 2015 }],
    ['$1M-$10M', { min: 1e6, max: 1e7 }],
    ['1-10M', { min: 1e6, max: 1e7 }],
    ['1.5 million to 2 billion USD', { min: 1.5e6, max: 2e9 }],
    ['500k+', { min: 500_000 }],
  ])('is read from %j', (text, range) => {
    expect(readRange(text)).toEqual(range);
  });

  it.each(['', 'small', '50-11', '€1M', '-', '1-2-3'])('is not read from %j', (text) => {
    expect(readRange(text)).toBeUndefined();
  });
});

describe('filters', () => {
  it('take texts, numbers, pairs and bounds', () => {
    const given = {
      company_size: [11, 50],
      revenue: { min: 1e6 },
      founded: 2015,
      country: 'Deutschland',
      sites: ['x'],
    };
    expect(CompanyFilters.parse(given)).toEqual({
      company_size: { min: 11, max: 50 },
      revenue: { min: 1e6 },
      founded: { min: 2015, max: 2015 },
      country: 'DE',
    });
    expect(CompanyFilters.parse({ company_size: null })).toEqual({});
  });

  it.each([{ company_size: 'small' }, { revenue: {} }, { founded: [2020, 2010] }, { country: 'Atlantis' }])(
    'refuse %j',
    (given) => {
      const [issue] = CompanyFilters.safeParse(given).error?.issues ?? [];
      expect(issue).toMatchObject({ path: Object.keys(given), message: expect.stringContaining('such as') });
    },
  );

  it.each([
    [{ country: 'Germany' }, true],
    [{ country: 'FR' }, false],
    [{ companySize: { min: 40, max: 80 } }, true],
    [{ companySize: { min: 51, max: 200 } }, false],
    [{ founded: 1999 }, false],
    [{}, true],
  ])('keep %j: %s', (facts, isKept) => {
    const filters = CompanyFilters.parse({ company_size: '11-50', founded: '2000+', country: 'de' });
    expect(matchesFilters({ name: 'Acme', ...facts }, filters)).toBe(isKept);
  });
});
