import { describe, expect, it } from 'vitest';
import { readCountry } from './read-country.js';

describe('a country', () => {
  it.each([
    ['de', 'DE'],
    ['DEU', 'DE'],
    [' Germany ', 'DE'],
    ['Deutschland', 'DE'],
    ['Allemagne', 'DE'],
    ['Alemania', 'DE'],
    ['ÖSTERREICH', 'AT'],
    ['Osterreich', 'AT'],
    ['España', 'ES'],
    ['U.S.A.', 'US'],
    ['United States', 'US'],
    ['United States of America', 'US'],
    ['Vereinigte Staaten', 'US'],
    ['États-Unis', 'US'],
    ['UK', 'GB'],
    ['England', 'GB'],
    ['The Netherlands', 'NL'],
    ['Côte d’Ivoire', 'CI'],
    ["Cote d'Ivoire", 'CI'],
    ['Türkiye', 'TR'],
    ['Turkey', 'TR'],
    ['Czech Republic', 'CZ'],
    ['Česko', 'CZ'],
    ['Korea, Republic of', 'KR'],
    ['Hong Kong SAR', 'HK'],
    ['Italia', 'IT'],
    ['Polska', 'PL'],
    ['日本', 'JP'],
    ['Kosovo', 'XK'],
  ])('is known by %s', (text, code) => {
    expect(readCountry(text)).toBe(code);
  });

  it.each(['', 'XX', 'EU', 'ZZ', 'Europe', 'Berlin', 'constructor', 'x'.repeat(100_000)])(
    'is not known by %.20j',
    (text) => {
      expect(readCountry(text)).toBeUndefined();
    },
  );
});
