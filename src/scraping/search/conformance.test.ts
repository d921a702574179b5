import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { answerWith, siteApart } from '../../../test/platforms/broken-sites.js';
import {
  type FakeSearchProvider,
  fakeBrave,
  fakeGoogle,
  fakeSearxng,
  fakeSerper,
  foundPages,
  SEARCH_KEY,
  SEARCH_SETTINGS,
} from '../../../test/platforms/fake-search-providers.js';
import { scraperTools, search } from '../../../test/platforms/scraper-tools.js';
import { type FakeDirectory, scraperConformance } from '../../../test/scraping/scraper-conformance.js';
import { failureOf } from '../scraper.js';
import { google } from '../scrapers/google.js';
import { SEARCH_PROVIDERS } from './search-providers.js';

const store = testDatabase();

const LIST: [string, unknown, string] = ['a list', [], 'does not answer as its API says: the answer:'];

interface Provider {
  fake: () => FakeSearchProvider;
  breaches: NonNullable<FakeDirectory['breaches']>;
  /** What a search in Austria, in German, asks for. */
  parameters: Record<string, unknown>;
  /** An answer to a wrong key or a disabled interface, and what the message says. */
  refusal: [status: number, body: unknown, words: string];
}

const PROVIDERS: Record<string, Provider> = {
  searxng: {
    fake: fakeSearxng,
    breaches: [LIST, ['results of another kind', { results: 'many' }, 'does not answer as its API says: results:']],
    parameters: { language: 'de-AT', format: 'json', categories: 'general' },
    refusal: [
      403,
      {},
      'SearXNG answered 403: its settings.yml must list json under search.formats (check MILLRACE_SEARCH_URL)',
    ],
  },
  brave: {
    fake: fakeBrave,
    breaches: [LIST, ['results of another kind', { web: { results: 7 } }, 'its API says: web.results:']],
    parameters: { country: 'AT', search_lang: 'de', result_filter: 'web', count: '20' },
    refusal: [
      422,
      { type: 'ErrorResponse', error: { detail: `The token ${SEARCH_KEY} is invalid.` } },
      'Brave Search answered 422: The token (hidden) is invalid. (check MILLRACE_SEARCH_KEY)',
    ],
  },
  serper: {
    fake: fakeSerper,
    breaches: [LIST, ['results of another kind', { organic: {} }, 'its API says: organic:']],
    parameters: { gl: 'at', hl: 'de' },
    refusal: [
      400,
      { message: 'Not enough credits', statusCode: 400 },
      'Serper allows no more requests for now: Not enough',
    ],
  },
  google: {
    fake: fakeGoogle,
    breaches: [LIST, ['items of another kind', { items: 'many' }, 'its API says: items:']],
    parameters: { gl: 'at', cr: 'countryAT', hl: 'de', lr: 'lang_de' },
    refusal: [403, { error: { message: 'Blocked.' } }, 'Google Programmable Search answered 403: Blocked. (check'],
  },
};

it('covers every provider', () => {
  expect(Object.keys(PROVIDERS)).toEqual(SEARCH_PROVIDERS.map(({ name }) => name));
});

describe.each(SEARCH_PROVIDERS.map(({ name }) => name))('the search provider %s', (name) => {
  const provider = PROVIDERS[name];
  if (!provider) return;
  const open = (count: number) => {
    const fake = provider.fake();
    fake.results = foundPages(count);
    return fake;
  };
  const settings = SEARCH_SETTINGS[name];

  scraperConformance(
    google,
    {
      open,
      companies: 43,
      at: (url) => ({ criteria: { industry: 'bakery' }, config: settings(url) }),
      variables: [expect.stringContaining('MILLRACE_SEARCH_PROVIDER')],
      unsearchable: [],
      secret: SEARCH_KEY,
      breaches: provider.breaches,
    },
    { store },
  );

  const started = async (count: number) => {
    const fake = open(count);
    const { base } = await siteApart(fake.listener);
    return { fake, tools: scraperTools(store.database, settings(base)) };
  };

  it('returns addresses, titles and snippets, page by page and each once', async () => {
    const { fake, tools } = await started(43);
    const { leads } = await search(google, { industry: 'bakery' }, tools);
    expect(leads[42]).toMatchObject({
      name: 'Company 42',
      domain: 'company-42.example',
      url: 'https://www.company-42.example/',
      description: 'What company 42 does',
    });
    expect(fake.asked.map(({ page }) => page)).toEqual(fake.asked.map((_, at) => at));
    expect(new Set(fake.asked.map(({ query }) => query))).toEqual(new Set(['bakery']));
  });

  it('returns no more than a hundred results', async () => {
    const { tools } = await started(500);
    expect((await search(google, { industry: 'bakery' }, tools)).leads).toHaveLength(100);
  });

  it('searches in a country and a language', async () => {
    const { fake, tools } = await started(1);
    await search(google, { industry: 'bakery', filters: { country: 'at', language: 'de' } }, tools);
    expect(fake.asked[0]?.parameters).toMatchObject(provider.parameters);
  });

  it('says why it refuses', async () => {
    const [status, body, words] = provider.refusal;
    const { base } = await siteApart(answerWith(status, JSON.stringify(body)));
    const tools = scraperTools(store.database, settings(base));
    const { failure } = await search(google, { industry: 'bakery' }, tools);
    expect(failureOf(failure)?.message).toContain(words);
  });
});

describe('SearXNG', () => {
  const answering = async (body: object) => {
    const { base } = await siteApart(answerWith(200, JSON.stringify(body)));
    return search(google, { industry: 'bakery' }, scraperTools(store.database, { searchUrl: base }));
  };

  it('reports engines that gave no answer if nothing was found', async () => {
    const { failure } = await answering({ results: [], unresponsive_engines: [['google', 'CAPTCHA']] });
    expect(failure).toMatchObject({
      retryable: true,
      message: 'SearXNG got no answer from its engines: google (CAPTCHA)',
    });
  });

  it('ends when engines repeat a page', async () => {
    const results = [{ url: 'https://acme.example/', title: 'Acme' }];
    expect(await answering({ results })).toMatchObject({ leads: { length: 1 }, failure: undefined });
  });

  it.each([
    [{ country: 'at' }, 'de-AT'],
    [{ language: 'fr' }, 'fr'],
    [{ language: 'pt-BR' }, 'pt-BR'],
    [{ country: 'ch', language: 'fr' }, 'fr-CH'],
  ])('is asked for %j as the locale %s', async (filters, language) => {
    const fake = fakeSearxng();
    const { base } = await siteApart(fake.listener);
    await search(google, { industry: 'bakery', filters }, scraperTools(store.database, { searchUrl: base }));
    expect(fake.asked[0]?.parameters.language).toBe(language);
  });
});
