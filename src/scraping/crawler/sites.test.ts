import { describe, expect, it } from 'vitest';
import type { Criteria } from '../scraper.js';
import { crawlOrder } from './sites.js';

const order = (criteria: Partial<Criteria>) => crawlOrder({ keywords: [], filters: {}, ...criteria });
const starts = (criteria: Partial<Criteria>) => {
  const found = order(criteria);
  return 'sites' in found ? found.sites.map((site) => site.starts.map(({ href }) => href)) : found;
};

describe('sites to crawl', () => {
  it.each([
    ['https://acme.de', 'https://acme.de/'],
    [' acme.de ', 'https://acme.de/'],
    ['www.acme.de/de?x=1', 'https://www.acme.de/de?x=1'],
    ['HTTP://user:secret@acme.de/', 'http://acme.de/'],
    ['müller.de', 'https://xn--mller-kva.de/'],
    ['localhost:8080', 'https://localhost:8080/'],
  ])('are given as %j', (text, address) => {
    expect(starts({ filters: { sites: [text] } })).toEqual([[address]]);
  });

  it('may be asked for over http where no scheme was given', () => {
    expect(order({ filters: { sites: ['acme.de', 'https://other.de'] } })).toMatchObject({
      sites: [{ fallbacks: [new URL('http://acme.de')] }, { fallbacks: [] }],
    });
  });

  it('are one where several addresses are of one domain', () => {
    const sites = ['acme.de', 'https://www.acme.de/kontakt', 'other.de'];
    expect(starts({ filters: { sites } })).toEqual([
      ['https://acme.de/', 'https://www.acme.de/kontakt'],
      ['https://other.de/'],
    ]);
  });

  it('are taken from the query and the keywords where these are addresses', () => {
    const keywords = ['node.js', 'e.g.', 'info@acme.de', 'solar power', 'other.de', 'http://intranet/x'];
    expect(starts({ searchQuery: 'acme.de', keywords })).toEqual([
      ['https://acme.de/'],
      ['https://other.de/'],
      ['http://intranet/x'],
    ]);
    expect(starts({ filters: { sites: ['acme.de'] }, keywords })).toEqual([['https://acme.de/']]);
  });
});

describe('an order is refused', () => {
  it.each<[string, Partial<Criteria>, string]>([
    ['no site', { keywords: ['solar'] }, 'filters.sites'],
    ['an empty list', { filters: { sites: [] } }, 'filters.sites'],
    ['something else than a list', { filters: { sites: 'acme.de' } }, 'filters.sites'],
    ['something else than a text', { filters: { sites: ['acme.de', 7] } }, 'filters.sites.1'],
    ['words', { filters: { sites: ['acme.de', 'not a site'] } }, 'filters.sites'],
    ['another scheme', { filters: { sites: ['file:///etc/passwd'] } }, 'filters.sites'],
    ['too many', { filters: { sites: Array.from({ length: 51 }, (_, n) => `a${n}.de`) } }, 'filters.sites'],
    ['too many keywords', { keywords: Array.from({ length: 51 }, (_, n) => `a${n}.de`) }, 'keywords'],
    ['more pages than there may be', { filters: { sites: ['acme.de'], maxPages: 21 } }, 'filters.maxPages'],
    ['no pages', { filters: { sites: ['acme.de'], maxPages: 0 } }, 'filters.maxPages'],
    ['pages that are no number', { filters: { sites: ['acme.de'], maxPages: '5' } }, 'filters.maxPages'],
  ])('with %s', (_, criteria, path) => {
    expect(order(criteria)).toEqual({ path, message: expect.any(String) });
  });
});

it('has 20 pages a site unless fewer are wanted', () => {
  expect(order({ filters: { sites: ['acme.de'] } })).toMatchObject({ maxPages: 20 });
  expect(order({ filters: { sites: ['acme.de'], maxPages: 3 } })).toMatchObject({ maxPages: 3 });
});
