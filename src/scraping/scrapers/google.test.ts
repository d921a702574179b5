import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import {
  companies,
  FakeGoogleSearch,
  GOOGLE_ENGINE,
  GOOGLE_KEY,
  googleError,
  INVALID_KEY,
  result,
} from '../../../test/platforms/fake-google-search.js';
import { criteria, scraperTools, search } from '../../../test/platforms/scraper-tools.js';
import type { Criteria } from '../scraper.js';
import { google } from './google.js';

const store = testDatabase();

async function newEngine(...results: unknown[]) {
  const engine = await new FakeGoogleSearch().start();
  engine.results = results;
  const tools = scraperTools(store.database, engine.config);
  const find = (given: Partial<Criteria> = { industry: 'bakery' }) => search(google, given, tools);
  return { engine, tools, find };
}

describe('a result', () => {
  it('is a lead with its domain, snippet and address, and all that the engine gave', async () => {
    const item = result('https://www.acme.com/about', { title: 'Acme Bread | Home', snippet: 'We bake.' });
    const { find } = await newEngine(item);
    expect(await find()).toEqual({
      leads: [
        {
          name: 'Acme Bread',
          domain: 'acme.com',
          emails: [],
          phones: [],
          description: 'We bake.',
          url: 'https://www.acme.com/about',
          raw: item,
        },
      ],
      failure: undefined,
    });
  });

  it('is described by the page’s own structured data', async () => {
    const pagemap = {
      organization: [{ name: 'Acme Bread GmbH', telephone: '+49 30 1234567', email: 'info@acme.com' }],
      postaladdress: [
        { streetaddress: 'Kastanienallee 1', postalcode: '10435', addresslocality: 'Berlin', addresscountry: 'DE' },
      ],
      metatags: [{ 'og:site_name': 'Acme' }],
    };
    const { find } = await newEngine(result('https://acme.com/', { pagemap }));
    expect((await find()).leads).toMatchObject([
      {
        name: 'Acme Bread GmbH',
        phones: ['+49 30 1234567'],
        emails: ['info@acme.com'],
        address: 'Kastanienallee 1, 10435 Berlin',
        country: 'DE',
      },
    ]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['the site’s name', { title: 'Rye', pagemap: { metatags: [{ 'og:site_name': 'Acme Bakery' }] } }, 'Acme Bakery'],
    ['not a site’s name that is none', { title: 'Acme', pagemap: { metatags: [{ 'og:site_name': 'Home' }] } }, 'Acme'],
    ['the part of the title that the domain bears out', { title: 'Rye bread | Acme' }, 'Acme'],
    ['the first part of the title', { title: 'Rye bread – Opening hours' }, 'Rye bread'],
    ['the domain', { title: 'Home' }, 'acme.com'],
    ['the domain without any title', { title: null, pagemap: null, snippet: null }, 'acme.com'],
    [
      'the organisation that the domain bears out',
      { pagemap: { organization: [{ name: 'Else' }, { name: 'Acme' }] } },
      'Acme',
    ],
    [
      'none of several organisations',
      { title: 'Our members', pagemap: { organization: [{ name: 'A' }, { name: 'B' }] } },
      'Our members',
    ],
    ['no organisation of another kind', { title: 'Acme', pagemap: { organization: 'x', metatags: [null] } }, 'Acme'],
  ])('is named by %s', async (_, fields, name) => {
    const { find } = await newEngine(result('https://acme.com/', fields));
    expect((await find()).leads).toMatchObject([{ name, domain: 'acme.com' }]);
  });

  it('on a platform has no domain, and not the platform’s name', async () => {
    const pagemap = { metatags: [{ 'og:site_name': 'Facebook' }] };
    const { find } = await newEngine(
      result('https://www.facebook.com/acme', { title: 'Acme Bread | Berlin | Facebook', pagemap }),
      result('https://www.facebook.com/other', { title: 'Other Bread - Facebook' }),
    );
    const { leads } = await find();
    expect(leads.map(({ name, domain, url }) => [name, domain, url])).toEqual([
      ['Acme Bread', undefined, 'https://www.facebook.com/acme'],
      ['Other Bread', undefined, 'https://www.facebook.com/other'],
    ]);
  });

  it('of a domain that was there before is none', async () => {
    const links = [
      'https://acme.com/',
      'https://www.acme.com/contact',
      'https://b.example.org/',
      'https://shop.acme.com/',
    ];
    const { find } = await newEngine(...links.map((link) => result(link)));
    expect((await find()).leads.map(({ url }) => url)).toEqual(['https://acme.com/', 'https://b.example.org/']);
  });

  it('of endless texts is still read', async () => {
    const endless = `Acme${' '.repeat(200_000)}| ${'.'.repeat(200_000)}`;
    const pagemap = { metatags: [{ 'og:title': endless, 'og:site_name': ' '.repeat(200_000) }] };
    const { find } = await newEngine(result('https://acme.com/', { title: endless, snippet: endless, pagemap }));
    expect((await find()).leads).toMatchObject([{ name: 'Acme', domain: 'acme.com' }]);
  });

  it('that is none is left out, and the others stay', async () => {
    const { find } = await newEngine(null, 7, {}, { link: 'javascript:alert(1)' }, result('https://acme.com/'));
    expect((await find()).leads).toHaveLength(1);
  });
});

describe('the pages of a query', () => {
  it('are asked for as long as there are more', async () => {
    const { engine, find } = await newEngine(...companies(23));
    expect((await find()).leads).toHaveLength(23);
    expect(engine.asked.map((asked) => asked.get('start'))).toEqual(['1', '11', '21']);
    expect(engine.asked.map((asked) => asked.get('num'))).toEqual(['10', '10', '10']);
  });

  it('end where the API ends', async () => {
    const { engine, find } = await newEngine(...companies(500));
    expect(await find()).toMatchObject({ leads: { length: 100 }, failure: undefined });
    expect(engine.asked.at(-1)?.get('start')).toBe('91');
    expect(engine.asked).toHaveLength(10);
  });

  it('may be empty', async () => {
    const { engine, find } = await newEngine();
    expect(await find()).toEqual({ leads: [], failure: undefined });
    expect(engine.asked).toHaveLength(1);
  });

  it('are asked for only when somebody wants them', async () => {
    const { engine, tools } = await newEngine(...companies(50));
    for await (const _ of google.scrape(criteria({ industry: 'bakery' }), tools)) break;
    expect(engine.asked).toHaveLength(1);
  });

  it('are left alone once the job is cancelled', async () => {
    const { engine, tools } = await newEngine(...companies(50));
    const cancelled = new AbortController();
    const leads = google.scrape(criteria({ industry: 'bakery' }), { ...tools, signal: cancelled.signal });
    const reading = async () => {
      for await (const _ of leads) cancelled.abort(new Error('cancelled'));
    };
    await expect(reading()).rejects.toThrow('cancelled');
    expect(engine.asked).toHaveLength(1);
  });
});

describe('a query', () => {
  it('carries key, engine, words and filters', async () => {
    const { engine, find } = await newEngine();
    const filters = {
      country: 'DE',
      language: 'de',
      site: 'https://example.org/',
      exclude: ['jobs', 'yelp.com'],
      sites: [1],
    };
    await find({ industry: 'bakery', geography: 'Berlin', keywords: ['rye bread'], filters });
    expect(Object.fromEntries(engine.asked[0] ?? [])).toEqual({
      key: GOOGLE_KEY,
      cx: GOOGLE_ENGINE,
      q: 'bakery Berlin "rye bread" site:example.org -jobs -site:yelp.com',
      num: '10',
      start: '1',
      gl: 'de',
      cr: 'countryDE',
      hl: 'de',
      lr: 'lang_de',
    });
  });

  it.each([
    ['he', 'he', 'lang_iw'],
    ['zh-TW', 'zh-tw', 'lang_zh-TW'],
    ['pt-BR', 'pt-br', 'lang_pt'],
    ['eu', 'eu', null],
  ])('in %s is asked for as the engine names languages', async (language, hl, lr) => {
    const { engine, find } = await newEngine();
    await find({ industry: 'bakery', filters: { language } });
    expect([engine.asked[0]?.get('hl'), engine.asked[0]?.get('lr')]).toEqual([hl, lr]);
  });
});

describe('before anything is asked', () => {
  it('says which variables are missing', () => {
    const { config } = scraperTools(store.database);
    expect(google.missing?.(config)).toEqual([
      expect.stringMatching(/MILLRACE_SEARCH_URL .* or MILLRACE_SEARCH_PROVIDER/),
    ]);
    expect(google.missing?.({ ...config, searchProvider: 'searxng' })).toEqual(['MILLRACE_SEARCH_URL']);
    expect(google.missing?.({ ...config, searchProvider: 'brave' })).toEqual(['MILLRACE_SEARCH_KEY']);
    expect(google.missing?.({ ...config, searchProvider: 'google' })).toEqual([
      'MILLRACE_GOOGLE_KEY',
      'MILLRACE_GOOGLE_ENGINE',
    ]);
    expect(google.missing?.({ ...config, googleEngine: 'e' })).toEqual(['MILLRACE_GOOGLE_KEY']);
    expect(google.missing?.({ ...config, googleKey: 'k' })).toEqual(['MILLRACE_GOOGLE_ENGINE']);
    expect(google.missing?.({ ...config, googleKey: 'k', googleEngine: 'e' })).toEqual([]);
  });

  it.each<Partial<Criteria>>([
    { geography: 'Berlin' },
    { industry: 'bakery', filters: { country: null, site: null, whatever: { a: 1 } } },
    { industry: 'bakery', filters: { site: ['example.org', 'example.com/shops'], exclude: 'jobs' } },
  ])('takes %j', (given) => {
    expect(google.refuse?.(criteria(given))).toBeUndefined();
  });
});

describe('an engine that refuses', () => {
  const quota = "Quota exceeded for quota metric 'Queries' and limit 'Queries per day'";

  it.each([
    [
      'a wrong key',
      INVALID_KEY,
      'answered 400: API key not valid. Please pass a valid API key. (check MILLRACE_GOOGLE_KEY',
    ],
    [
      'a wrong engine',
      googleError(400, 'Request contains an invalid argument.', 'INVALID_ARGUMENT'),
      'MILLRACE_GOOGLE_ENGINE)',
    ],
    [
      'a key for other uses',
      googleError(403, 'Requests to this API are blocked.', 'PERMISSION_DENIED'),
      'are blocked.',
    ],
    [
      'a used-up quota',
      googleError(429, quota, 'RESOURCE_EXHAUSTED', 'rateLimitExceeded'),
      `no more requests for now: ${quota}`,
    ],
    [
      'a used-up quota of old',
      googleError(403, quota, 'PERMISSION_DENIED', 'dailyLimitExceeded'),
      'no more requests for now',
    ],
    ['without JSON', { status: 403, body: '<html>Forbidden</html>' }, 'answered 403 (check'],
    ['without words', { status: 400, body: { error: { message: 7 } } }, 'answered 400 (check'],
  ])('for %s says so, and is not asked again soon', async (_, refuses, words) => {
    const { engine, find } = await newEngine();
    engine.refuses = refuses;
    const { failure } = await find();
    expect(failure).toMatchObject({ name: 'ScrapeFailure', retryable: false, message: expect.stringContaining(words) });
    expect(String(failure)).toMatch(/^ScrapeFailure: Google Programmable Search /);
  });

  it('for its own reasons may be asked again', async () => {
    const { engine, find } = await newEngine();
    engine.refuses = googleError(500, 'Internal error encountered.', 'INTERNAL', 'backendError');
    expect((await find()).failure).toMatchObject({
      retryable: true,
      message: expect.stringContaining('answered 500: Internal'),
    });
  });

  it('does not get the key into what people read', async () => {
    const { engine, find } = await newEngine();
    const spoken = `no\u0000 ${GOOGLE_KEY} in /customsearch/v1?key=${encodeURIComponent(GOOGLE_KEY)}&q=x`;
    engine.refuses = googleError(400, spoken, 'INVALID_ARGUMENT');
    const { failure } = await find();
    expect(String(failure)).toContain('no (hidden) in /customsearch/v1?key=***&q=***');
  });

  it('later keeps what it gave before', async () => {
    const { engine, find } = await newEngine(...companies(30));
    engine.refuses = { ...googleError(503, 'The service is unavailable.', 'UNAVAILABLE'), from: 3 };
    expect(await find()).toMatchObject({ leads: { length: 20 }, failure: { name: 'ScrapeFailure', retryable: true } });
  });
});

describe('an answer that is not what the API says', () => {
  it('without a sensible word about further pages is the last one', async () => {
    const { engine, find } = await newEngine();
    engine.refuses = { status: 200, body: { items: companies(10), queries: 'next' } };
    expect(await find()).toMatchObject({ leads: { length: 10 }, failure: undefined });
    expect(engine.asked).toHaveLength(1);
  });

  it('that always promises more has an end', async () => {
    const { engine, find } = await newEngine();
    engine.refuses = { status: 200, body: { items: companies(10), queries: { nextPage: [{ startIndex: 1 }] } } };
    expect(await find()).toMatchObject({ leads: { length: 10 }, failure: undefined });
    expect(engine.asked).toHaveLength(2);
  });
});
