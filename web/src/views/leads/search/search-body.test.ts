import { expect, it } from 'vitest';
import { EMPTY_SEARCH, searchBody } from './search-body';

it('sends what was typed, in lists where lists are wanted', () => {
  const search = {
    ...EMPTY_SEARCH,
    industry: ' bakery ',
    keywords: 'bread, rye\nspelt,',
    sites: 'a.example\n https://b.example , c.example',
    maxPages: '3',
  };
  expect(searchBody(search)).toEqual({
    industry: 'bakery',
    keywords: ['bread', 'rye', 'spelt'],
    source_types: ['web'],
    filters: { sites: ['a.example', 'https://b.example', 'c.example'], maxPages: 3 },
  });
});

it('leaves out filters of source types that are not searched', () => {
  const search = { ...EMPTY_SEARCH, types: ['openstreetmap'], geography: 'Berlin', sites: 'a.example', country: 'de' };
  expect(searchBody(search)).toEqual({
    geography: 'Berlin',
    keywords: [],
    source_types: ['openstreetmap'],
    filters: {},
  });
});

it('takes filters of the search engine and source types of workers', () => {
  const search = {
    ...EMPTY_SEARCH,
    types: ['google'],
    others: 'yellow-pages, google',
    country: 'DE',
    exclude: 'a.example, jobs',
  };
  expect(searchBody(search)).toMatchObject({
    source_types: ['google', 'yellow-pages'],
    filters: { country: 'de', exclude: ['a.example', 'jobs'] },
  });
});

it('takes facts about companies for sources that know them', () => {
  const facts = { companySize: '11-50', revenue: '1M+', founded: '2015+', country: 'DE', directory: true };
  const search = { ...EMPTY_SEARCH, ...facts, sites: 'a.example' };
  const web = { sites: ['a.example'], directory: true, company_size: '11-50', founded: '2015+', country: 'de' };
  expect(searchBody(search).filters).toEqual(web);
  expect(searchBody({ ...search, types: ['crunchbase'] }).filters).toEqual({
    company_size: '11-50',
    revenue: '1M+',
    founded: '2015+',
    country: 'de',
  });
});
