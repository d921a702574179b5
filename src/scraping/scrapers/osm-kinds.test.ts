import { describe, expect, it } from 'vitest';
import { criteria } from '../../../test/platforms/scraper-tools.js';
import { filterOf, kindsOf, tagReader } from './osm-kinds.js';

const filtersOf = (industry: string, ...keywords: string[]) =>
  kindsOf(criteria({ industry, keywords })).flatMap(({ selectors }) => selectors.map(filterOf));

describe('an industry', () => {
  it.each([
    ['restaurant', '["amenity"="restaurant"]'],
    ['Restaurants', '["amenity"="restaurant"]'],
    ['Bakeries', '["shop"="bakery"]'],
    ['Bäckereien', '["shop"="bakery"]'],
    ['cafés', '["amenity"="cafe"]'],
    ['Rechtsanwälte', '["office"="lawyer"]'],
    ['law firms', '["office"="lawyer"]'],
    ['IT', '["office"="it"]'],
    ['Software companies', '["office"="it"]'],
    ['hotel', '["tourism"="hotel"]'],
    ['Steuerberater', '["office"="tax_advisor"]'],
    ['Car  Repair', '["shop"="car_repair"]'],
    ['B&B', '["tourism"="guest_house"]'],
    ['Apotheken', '["amenity"="pharmacy"]'],
  ])('%s is tagged %s', (industry, filter) => {
    expect(filtersOf(industry)).toEqual([filter]);
  });

  it('may be tagged in several ways', () => {
    expect(filtersOf('Zahnärzte')).toEqual(['["amenity"="dentist"]', '["healthcare"="dentist"]']);
  });

  it('may be several', () => {
    expect(filtersOf('hotels, hostels')).toEqual(['["tourism"="hotel"]', '["tourism"="hostel"]']);
  });

  it('that is not known is looked for in the values of tags', () => {
    expect(filtersOf('Piano makers')).toEqual(
      ['shop', 'office', 'amenity', 'craft', 'tourism', 'healthcare'].map((key) => `["${key}"~"piano[ _-]maker",i]`),
    );
  });

  it('stays a text, whatever is in it', () => {
    expect(filtersOf('x"](1);.*')[0]).toBe(String.raw`["shop"~"x\"\\]\\(1\\)",i]`);
  });

  it.each(['', ' ', 'x', 'ab', ';;'])('%j is none', (industry) => {
    expect(filtersOf(industry)).toEqual([]);
  });

  it('comes before keywords, which take its place where there is none', () => {
    expect(filtersOf('hotel', 'bakery')).toEqual(['["tourism"="hotel"]']);
    expect(filtersOf('', 'bakery', 'x', 'Hotel')).toEqual(['["shop"="bakery"]', '["tourism"="hotel"]']);
  });

  it('is not searched for in any number of ways', () => {
    const keywords = Array.from({ length: 200 }, (_, at) => `keyword ${at}`);
    expect(filtersOf('', ...keywords)).toHaveLength(30);
  });
});

describe('what an element is tagged as', () => {
  it('is reported in the words of the request', () => {
    const taggedAs = tagReader(criteria({ industry: 'Gesundheit', keywords: ['Zahnarzt', 'brew', 'vegan'] }));
    expect(taggedAs({ healthcare: 'dentist' })).toEqual(['Zahnarzt']);
    expect(taggedAs({ craft: 'micro_brewery' })).toEqual(['brew']);
    expect(taggedAs({ name: 'Zahnarzt', cuisine: 'vegan' })).toEqual([]);
  });
});
