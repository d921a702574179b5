import { afterAll, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { CRUNCHBASE_KEY, FakeCrunchbase, organizations } from '../../../test/platforms/fake-crunchbase.js';
import {
  companies,
  FakeGoogleSearch,
  GOOGLE_ENGINE,
  GOOGLE_KEY,
  result,
} from '../../../test/platforms/fake-google-search.js';
import { FakeOverpass } from '../../../test/platforms/fake-overpass.js';
import { type FakeDirectory, scraperConformance } from '../../../test/scraping/scraper-conformance.js';
import { PageReader } from '../crawler/page-reader.js';
import { scrapersFor } from '../scrapers.js';
import { webScraper } from './web.js';

const store = testDatabase();
const reader = new PageReader();
afterAll(() => reader.onApplicationShutdown());

const WRONG_SEARCHES: FakeDirectory['breaches'] = [
  ['a list', [], 'does not answer as its API says: the answer:'],
  ['items of another kind', { items: 'many' }, 'does not answer as its API says: items:'],
];

function engineWith(results: unknown[]) {
  const engine = new FakeGoogleSearch();
  engine.results = results;
  return engine;
}

const throughGoogle: Omit<FakeDirectory, 'open' | 'unsearchable'> = {
  companies: 23,
  at: (url) => ({
    criteria: { industry: 'bakery' },
    config: { googleUrl: url, googleKey: GOOGLE_KEY, googleEngine: GOOGLE_ENGINE },
  }),
  variables: [
    'MILLRACE_SEARCH_URL (the address of a SearXNG server), or MILLRACE_SEARCH_PROVIDER with MILLRACE_SEARCH_KEY,',
  ],
  secret: GOOGLE_KEY,
  breaches: WRONG_SEARCHES,
};

const DIRECTORIES: Record<string, FakeDirectory> = {
  google: {
    ...throughGoogle,
    open: (count) => engineWith(companies(count)),
    unsearchable: [
      [{ filters: { sites: ['example.org'] } }, 'search_query'],
      [{ filters: { site: 'example.org' } }, 'search_query'],
      [{ searchQuery: ' ', keywords: ['""'] }, 'search_query'],
      [{ industry: 'bakery', filters: { country: 'Atlantis' } }, 'filters.country'],
      [{ industry: 'bakery', filters: { language: 5 } }, 'filters.language'],
      [{ industry: 'bakery', filters: { site: 'a b' } }, 'filters.site'],
      [{ industry: 'bakery', filters: { exclude: Array(11).fill('jobs') } }, 'filters.exclude'],
      [{ industry: 'bakery', filters: { exclude: {} } }, 'filters.exclude'],
    ],
  },
  linkedin: {
    ...throughGoogle,
    open: (count) =>
      engineWith(Array.from({ length: count }, (_, at) => result(`https://www.linkedin.com/company/c${at}`))),
    unsearchable: [[{ filters: { site: 'example.org' } }, 'search_query']],
  },
  crunchbase: {
    open(count) {
      const api = new FakeCrunchbase();
      api.organizations = organizations(count);
      return api;
    },
    companies: 250,
    at: (url) => ({
      criteria: { keywords: ['bread'] },
      config: { crunchbaseUrl: url, crunchbaseKey: CRUNCHBASE_KEY },
    }),
    variables: ['MILLRACE_CRUNCHBASE_KEY'],
    secret: CRUNCHBASE_KEY,
    unsearchable: [
      [{ filters: { sites: ['example.org'] } }, 'search_query'],
      [{ searchQuery: ' OR -jobs ', keywords: [' '], industry: '' }, 'search_query'],
      [{ industry: 'bakery', filters: { company_size: 'small' } }, 'filters.company_size'],
      [{ industry: 'bakery', filters: { founded: 'long ago' } }, 'filters.founded'],
    ],
    breaches: [
      ['a list', [], 'does not answer as its API says: the answer:'],
      ['entities of another kind', { entities: 'many' }, 'does not answer as its API says: entities:'],
    ],
  },
  openstreetmap: {
    open(count) {
      const map = new FakeOverpass();
      const berlin = map.place({ name: 'Berlin' });
      for (let at = 0; at < count; at += 1) map.add({ shop: 'bakery', name: `Bakery ${at}` }, berlin);
      return map;
    },
    companies: 30,
    at: (url) => ({ criteria: { industry: 'bakery', geography: 'Berlin' }, config: { overpassUrl: url } }),
    variables: [],
    // Overpass does not say how long its limit lasts, so a minute is assumed.
    meanings: { 429: { retryable: true, until: true } },
    unsearchable: [
      [{ industry: 'bakery' }, 'geography'],
      [{ industry: 'bakery', geography: ' , ' }, 'geography'],
      [{ industry: 'bakery', geography: 'a, b, c, d, e' }, 'geography'],
      [{ industry: 'bakery', geography: 'Berlin', filters: { bbox: 'Berlin' } }, 'filters.bbox'],
      [{ industry: 'bakery', filters: { bbox: [52.6, 13.3, 52.4, 13.5] } }, 'filters.bbox'],
      [{ industry: 'bakery', filters: { bbox: [52.6, 13.3, 95, 13.5] } }, 'filters.bbox'],
      [{ geography: 'Berlin' }, 'industry'],
      [{ geography: 'Berlin', industry: 'x' }, 'industry'],
      [{ geography: 'Berlin', searchQuery: 'bakeries' }, 'industry'],
      [{ geography: 'Berlin', keywords: ['x', 'y'] }, 'keywords'],
    ],
    breaches: [
      ['a list', [], 'does not answer as its API says: the answer:'],
      ['elements of another kind', { elements: 'none' }, 'does not answer as its API says: elements:'],
    ],
  },
  web: {
    open: () => ({
      url: '',
      listener: (request, response) => {
        response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html' }).end('<title>Acme</title>');
      },
    }),
    companies: 1,
    at: (url) => ({ criteria: { filters: { sites: [url] } } }),
    variables: [],
    meanings: { 429: { retryable: false, until: true } },
    unsearchable: [
      [{ industry: 'bakery' }, 'filters.sites'],
      [{ filters: { sites: ['no address'] } }, 'filters.sites'],
      [{ filters: { sites: ['example.org'], directory: 'yes' } }, 'filters.directory'],
      [{ filters: { sites: ['example.org'], country: 'Atlantis' } }, 'filters.country'],
    ],
  },
};

const scrapers = scrapersFor({ remoteScrapers: [] });

it('covers every scraper', () => {
  expect(Object.keys(DIRECTORIES).sort()).toEqual(scrapers.map(({ type }) => type).sort());
});

for (const scraper of scrapers) {
  const directory = DIRECTORIES[scraper.type];
  // The pauses between requests to a site are tested with the web scraper itself.
  const tested = scraper.type === 'web' ? webScraper({ pause: async () => undefined }) : scraper;
  if (directory) scraperConformance(tested, directory, { store, tools: { readPage: (page) => reader.read(page) } });
}
