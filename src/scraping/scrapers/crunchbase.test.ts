import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import {
  CRUNCHBASE_KEY,
  FakeCrunchbase,
  organization,
  organizations,
} from '../../../test/platforms/fake-crunchbase.js';
import { criteria, scraperTools, search } from '../../../test/platforms/scraper-tools.js';
import type { Criteria } from '../scraper.js';
import { crunchbase } from './crunchbase.js';

const store = testDatabase();

async function newCrunchbase(...found: unknown[]) {
  const api = await new FakeCrunchbase().start();
  api.organizations = found;
  const tools = scraperTools(store.database, api.config);
  const find = (given: Partial<Criteria> = { keywords: ['bread'] }) => search(crunchbase, given, tools);
  return { api, tools, find };
}

const predicate = (field_id: string, operator_id: string, ...values: string[]) => ({
  type: 'predicate',
  field_id,
  operator_id,
  values,
});
const COMPANY = predicate('facet_ids', 'includes', 'company');

const place = (location_type: string, value: string) => ({
  location_type,
  value,
  uuid: value,
  entity_def_id: 'location',
});

describe('an organisation', () => {
  it('is a lead with its contacts and its place', async () => {
    const entity = organization(1, {
      website_url: 'https://www.acme.com/',
      short_description: 'Bakes bread.',
      contact_email: 'info@acme.com',
      phone_number: '+49 30 1234567',
      location_identifiers: [
        place('city', 'Berlin'),
        place('region', 'Berlin State'),
        place('country', 'Germany'),
        place('continent', 'Europe'),
      ],
    });
    const { find } = await newCrunchbase(entity);
    expect(await find()).toEqual({
      leads: [
        {
          name: 'Company 1',
          domain: 'acme.com',
          emails: ['info@acme.com'],
          phones: ['+49 30 1234567'],
          address: 'Berlin, Berlin State, Germany',
          country: 'Germany',
          description: 'Bakes bread.',
          url: 'https://www.crunchbase.com/organization/company-1',
          raw: entity,
        },
      ],
      failure: undefined,
    });
  });

  it('may tell next to nothing', async () => {
    const nothing = { identifier: { value: 'Acme' }, website_url: null, location_identifiers: null, contact_email: 7 };
    const { find } = await newCrunchbase(organization(1, nothing));
    expect((await find()).leads).toMatchObject([
      {
        name: 'Acme',
        domain: undefined,
        emails: [],
        phones: [],
        address: undefined,
        country: undefined,
        url: undefined,
      },
    ]);
  });

  it('on a platform has no domain', async () => {
    const { find } = await newCrunchbase(organization(1, { website_url: 'https://facebook.com/acme' }));
    expect((await find()).leads).toMatchObject([{ domain: undefined }]);
  });

  it('that is none is left out, and the others stay', async () => {
    const { find } = await newCrunchbase(
      null,
      {},
      { uuid: 'x' },
      organization(2, { identifier: null }),
      organization(3),
    );
    expect((await find()).leads).toMatchObject([{ name: 'Company 3' }]);
  });
});

describe('what is asked for', () => {
  it('are companies with one of the keywords, and fields that each plan has', async () => {
    const { api, find } = await newCrunchbase();
    await find({ keywords: ['rye bread', ' ', 'sourdough'] });
    expect(api.searches).toMatchObject([
      { query: [COMPANY, predicate('description', 'contains', 'rye bread', 'sourdough')], limit: 100 },
    ]);
    expect(api.searches[0]?.field_ids).toEqual(expect.arrayContaining(['identifier', 'website_url', 'contact_email']));
    expect(api.lookUps).toEqual([]);
  });

  it('is an industry by its id, and its group rather than itself', async () => {
    const { api, find } = await newCrunchbase();
    const bakery = api.name('category', 'Bakery');
    api.name('category', 'Software');
    const software = api.name('category_group', 'Software');
    api.name('category', 'Softwood');
    await find({ industry: 'bakery' });
    await find({ industry: 'SOFTWARE' });
    expect(api.searches.map(({ query }) => query)).toEqual([
      [COMPANY, predicate('categories', 'includes', bakery)],
      [COMPANY, predicate('category_groups', 'includes', software)],
    ]);
  });

  it('is what descriptions tell if it is no industry there', async () => {
    const { api, find } = await newCrunchbase();
    api.name('category', 'Bakery');
    await find({ industry: 'bakeries and cafés' });
    expect(api.searches[0]?.query).toEqual([COMPANY, predicate('description', 'contains', 'bakeries and cafés')]);
  });

  it('is a place by its id, and every one of that name', async () => {
    const { api, find } = await newCrunchbase();
    const ids = [api.name('location', 'Zürich', ['city']), api.name('location', 'Zurich', ['region'])];
    api.name('location', 'Zurich West', ['city']);
    await find({ geography: 'zurich' });
    expect(api.searches[0]?.query).toEqual([COMPANY, predicate('location_identifiers', 'includes', ...ids)]);
    expect(api.lookUps).toEqual(['locations: zurich']);
  });

  it('is a city in a country', async () => {
    const { api, find } = await newCrunchbase();
    const berlin = api.name('location', 'Berlin', ['city']);
    const germany = api.name('location', 'Germany', ['country']);
    await find({ geography: 'Berlin, Germany' });
    expect(api.searches[0]?.query).toEqual([
      COMPANY,
      predicate('location_identifiers', 'includes', berlin),
      predicate('location_identifiers', 'includes', germany),
    ]);
  });

  it('is a regional area by a field of its own', async () => {
    const { api, find } = await newCrunchbase();
    const area = api.name('location', 'San Francisco Bay Area', ['group']);
    await find({ geography: 'San Francisco Bay Area' });
    expect(api.searches[0]?.query).toEqual([COMPANY, predicate('location_group_identifiers', 'includes', area)]);
  });

  it('are all words of the query, then any of them', async () => {
    const { api, find } = await newCrunchbase();
    await find({ searchQuery: 'bakery "rye bread" -jobs site:x.com OR in' });
    expect(api.searches.map(({ query }) => query)).toEqual([
      [COMPANY, predicate('description', 'contains', 'bakery'), predicate('description', 'contains', 'rye bread')],
      [COMPANY, predicate('description', 'contains', 'bakery', 'rye bread')],
    ]);
  });

  it('comes with the most words of the query first, and by rank among equals', async () => {
    const described = (number: number, short_description: string) => organization(number, { short_description });
    const { api, find } = await newCrunchbase(
      described(1, 'Sells rye.'),
      described(2, 'Bakes BREAD.'),
      described(3, 'Bread of rye, organic.'),
      described(4, 'Rye bread.'),
    );
    api.findsAllTerms = false;
    const { leads } = await find({ searchQuery: 'organic rye bread' });
    expect(leads.map(({ name }) => name)).toEqual(['Company 3', 'Company 4', 'Company 1', 'Company 2']);
  });

  it('keeps what it found before the API refused, in order', async () => {
    const { api, find } = await newCrunchbase(...organizations(150));
    api.findsAllTerms = false;
    api.refuses = { status: 503, body: {}, from: 3 };
    const found = await find({ searchQuery: 'rye bread' });
    expect(found).toMatchObject({ leads: { length: 100 }, failure: { name: 'ScrapeFailure', retryable: true } });
  });

  it('is restricted by size, revenue, foundation and country', async () => {
    const { api, find } = await newCrunchbase();
    const germany = api.name('location', 'Germany', ['country']);
    const filters = { company_size: '20-100', revenue: '1M-10M', founded: '2010-2020', country: 'de' };
    await find({ filters });
    expect(api.searches[0]?.query).toEqual([
      COMPANY,
      predicate('location_identifiers', 'includes', germany),
      predicate('num_employees_enum', 'includes', 'c_00011_00050', 'c_00051_00100'),
      predicate('revenue_range', 'includes', 'r_00001000'),
      predicate('founded_on', 'gte', '2010-01-01'),
      predicate('founded_on', 'lte', '2020-12-31'),
    ]);
  });

  it('is restricted to one side', async () => {
    const { api, find } = await newCrunchbase();
    await find({ filters: { company_size: '10001+', revenue: { min: 1e10 }, founded: '<2000' } });
    expect(api.searches[0]?.query.slice(1)).toEqual([
      predicate('num_employees_enum', 'includes', 'c_10001_max'),
      predicate('revenue_range', 'includes', 'r_10000000'),
      predicate('founded_on', 'lte', '2000-12-31'),
    ]);
  });

  it('is no more than the API takes', async () => {
    const { api, find } = await newCrunchbase();
    const keywords = Array.from({ length: 300 }, (_, at) => `keyword ${at}`);
    await find({ keywords, searchQuery: keywords.map((keyword) => `"${keyword}"`).join(' ') });
    expect(api.searches[0]?.query).toHaveLength(25);
    expect(api.searches[0]?.query[1]?.values).toHaveLength(200);
  });
});

describe('a place that Crunchbase does not know', () => {
  it.each([
    ['Berl', 'knows no place called "Berl"; it knows Berlin, Berlin Heights'],
    ['Berlin, Atlantis', 'knows no place called "Atlantis"'],
    ['Nowhere', 'knows no place called "Nowhere"'],
    ['a,b,c,d,e', 'knows no place called "a,b,c,d,e"'],
  ])('is reported: %s', async (geography, words) => {
    const { api, find } = await newCrunchbase(organization(1));
    api.name('location', 'Berlin');
    api.name('location', 'Berlin Heights');
    const { leads, failure } = await find({ geography });
    expect(leads).toEqual([]);
    expect(failure).toMatchObject({ name: 'ScrapeFailure', retryable: false, message: `Crunchbase ${words}` });
    expect(api.searches).toEqual([]);
  });
});

describe('the pages of a search', () => {
  it('go on after the last organisation until one is not full', async () => {
    const { api, find } = await newCrunchbase(...organizations(250));
    const { leads } = await find();
    expect(new Set(leads.map(({ name }) => name)).size).toBe(250);
    expect(api.searches.map(({ after_id }) => after_id)).toEqual([
      undefined,
      '00000000-0000-4000-8000-000000000099',
      '00000000-0000-4000-8000-000000000199',
    ]);
  });

  it('end with an empty one', async () => {
    const { api, find } = await newCrunchbase(...organizations(100));
    expect(await find()).toMatchObject({ leads: { length: 100 }, failure: undefined });
    expect(api.searches).toHaveLength(2);
  });

  it('end where they come again', async () => {
    const { api, find } = await newCrunchbase();
    api.refuses = { status: 200, body: { entities: organizations(100) } };
    expect(await find()).toMatchObject({ leads: { length: 100 }, failure: undefined });
    expect(api.searches).toHaveLength(2);
  });

  it('end where the last organisation has no id', async () => {
    const { api, find } = await newCrunchbase();
    api.refuses = { status: 200, body: { entities: [...organizations(99), { properties: {} }] } };
    expect(await find()).toMatchObject({ leads: { length: 99 }, failure: undefined });
    expect(api.searches).toHaveLength(1);
  });

  it('are left alone once the job is cancelled', async () => {
    const { api, tools } = await newCrunchbase(...organizations(250));
    const cancelled = new AbortController();
    const leads = crunchbase.scrape(criteria({ keywords: ['bread'] }), { ...tools, signal: cancelled.signal });
    const reading = async () => {
      for await (const _ of leads) cancelled.abort(new Error('cancelled'));
    };
    await expect(reading()).rejects.toThrow('cancelled');
    expect(api.searches).toHaveLength(1);
  });
});

describe('before anything is asked', () => {
  it.each<Partial<Criteria>>([{ geography: 'Berlin' }, { industry: 'bakery' }, { searchQuery: 'bakery' }])(
    'takes %j',
    (given) => {
      expect(crunchbase.refuse?.(criteria(given))).toBeUndefined();
    },
  );
});

describe('an API that refuses', () => {
  it('names the variable if it does not know the key', async () => {
    const { tools } = await newCrunchbase();
    const config = { ...tools.config, crunchbaseKey: 'wrong' };
    const { failure } = await search(crunchbase, { industry: 'bakery' }, { ...tools, config });
    expect(failure).toMatchObject({
      retryable: false,
      message: 'Crunchbase answered 401: Unauthorized user_key (check MILLRACE_CRUNCHBASE_KEY)',
    });
  });

  it.each<[number, unknown, boolean, string]>([
    [400, { value: 'unknown field_id' }, false, 'answered 400: unknown field_id'],
    [403, { message: 'not in your plan' }, false, 'answered 403: not in your plan (check MILLRACE_CRUNCHBASE_KEY)'],
    [429, '', false, 'allows no more requests for now'],
    [500, { value: `oops ${CRUNCHBASE_KEY}` }, true, 'answered 500: oops (hidden)'],
    [502, '<html>', true, 'answered 502'],
  ])('with %i %j says so', async (status, body, retryable, words) => {
    const { api, find } = await newCrunchbase();
    api.refuses = { status, body };
    expect((await find()).failure).toMatchObject({ name: 'ScrapeFailure', retryable, message: `Crunchbase ${words}` });
  });

  it('to look a name up says so, too', async () => {
    const { api, find } = await newCrunchbase();
    api.refuses = { status: 500, body: { value: 'oops' } };
    const failure = { name: 'ScrapeFailure', retryable: true, message: 'Crunchbase answered 500: oops' };
    expect(await find({ industry: 'bakery' })).toMatchObject({ leads: [], failure });
    expect(await find({ geography: 'Berlin' })).toMatchObject({ leads: [], failure });
    expect(api.searches).toEqual([]);
  });

  it('later keeps what it gave before', async () => {
    const { api, find } = await newCrunchbase(...organizations(250));
    api.refuses = { status: 503, body: {}, from: 3 };
    expect(await find()).toMatchObject({ leads: { length: 200 }, failure: { name: 'ScrapeFailure', retryable: true } });
  });
});
