import { describe, expect, it } from 'vitest';
import { criteria } from '../../../test/platforms/scraper-tools.js';
import type { Criteria } from '../scraper.js';
import { searchQuery } from './search-query.js';

const query = (given: Partial<Criteria>, { site = [] as string[], exclude = [] as string[] } = {}) =>
  searchQuery(criteria(given), { site, exclude });

describe('what is typed into the search box', () => {
  it('asks for all of the query, the industry and the place, and for one of the keywords', () => {
    const given = { searchQuery: 'family run', industry: 'bakery', geography: 'Berlin, Germany' };
    expect(query({ ...given, keywords: ['organic bread', 'sourdough'] })).toBe(
      'family run bakery Berlin, Germany "organic bread" OR sourdough',
    );
  });

  it.each<[string, Partial<Criteria>, string]>([
    ['an industry alone', { industry: ' bakery ' }, 'bakery'],
    ['a place alone', { geography: 'New\n York' }, 'New York'],
    ['a keyword alone', { keywords: ['sourdough'] }, 'sourdough'],
    ['a keyword twice', { keywords: ['rye', 'rye'] }, 'rye'],
    ['quotes in a keyword', { keywords: ['the "best" bread'] }, '"the best bread"'],
    ['keywords that look like operators', { keywords: ['-rye', 'site:x', 'OR'] }, '"-rye" OR "site:x" OR "OR"'],
    ['other scripts', { keywords: ['パン屋', 'булочная Москва'] }, 'パン屋 OR "булочная Москва"'],
    ['operators of the query', { searchQuery: 'bakery -jobs "open now"' }, 'bakery -jobs "open now"'],
  ])('takes %s', (_, given, expected) => {
    expect(query(given)).toBe(expected);
  });

  it.each<[string, Partial<Criteria>]>([
    ['nothing', {}],
    ['spaces', { searchQuery: '  ', industry: '\t', keywords: [' '] }],
    ['signs', { searchQuery: '"" - |', keywords: ['"', '--'] }],
  ])('is nothing for %s', (_, given) => {
    expect(query(given, { site: ['example.org'], exclude: ['jobs'] })).toBeUndefined();
  });

  it('restricts to sites and leaves out words and sites', () => {
    const restrictions = {
      site: ['example.org', 'example.com/shops'],
      exclude: ['jobs', 'second hand', 'Node.js', ''],
    };
    expect(query({ industry: 'bakery' }, { ...restrictions, exclude: [...restrictions.exclude, 'yelp.com'] })).toBe(
      'bakery site:example.org OR site:example.com/shops -jobs -"second hand" -Node.js -site:yelp.com',
    );
  });
});

describe('a query of more words than the engine looks at', () => {
  const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`);

  it('keeps its restrictions and the first words', () => {
    const text = query({ searchQuery: words(100).join(' '), keywords: ['late'] }, { site: ['example.org'] });
    expect(text).toBe(`${words(31).join(' ')} site:example.org`);
  });

  it('keeps keywords as long as they fit whole', () => {
    const keywords = [...words(29), 'two words', 'three more words', 'last'];
    expect(query({ industry: 'bakery', keywords })).toBe(`bakery ${words(29).join(' OR ')} OR "two words"`);
  });

  it('does not end within quotes', () => {
    const text = query({ searchQuery: `${words(31).join(' ')} "open now"` });
    expect(text).toBe(`${words(31).join(' ')} open`);
  });
});
