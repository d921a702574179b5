import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { FakeGoogleSearch, googleError, result } from '../../../test/platforms/fake-google-search.js';
import { criteria, scraperTools, search } from '../../../test/platforms/scraper-tools.js';
import type { Criteria } from '../scraper.js';
import { linkedin } from './linkedin.js';

const store = testDatabase();

async function newEngine(...results: unknown[]) {
  const engine = await new FakeGoogleSearch().start();
  engine.results = results;
  const tools = scraperTools(store.database, engine.config);
  const find = (given: Partial<Criteria> = { industry: 'bakery' }) => search(linkedin, given, tools);
  return { engine, find };
}

describe('a company page', () => {
  it('is a lead without a domain', async () => {
    const item = result('https://de.linkedin.com/company/Acme-Bread?trk=x', {
      title: 'Acme Bread GmbH | LinkedIn',
      snippet: 'Acme Bread | 1,234 followers on LinkedIn.',
    });
    const { find } = await newEngine(item);
    expect(await find()).toEqual({
      leads: [
        {
          name: 'Acme Bread GmbH',
          description: 'Acme Bread | 1,234 followers on LinkedIn.',
          url: 'https://www.linkedin.com/company/acme-bread',
          raw: item,
        },
      ],
      failure: undefined,
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ['Acme Inc.', { title: 'Acme Inc. | LinkedIn' }],
    ['Acme Inc.', { title: 'Acme Inc. - LinkedIn' }],
    ['Acme Inc.', { title: 'Acme Inc.: Jobs | LinkedIn Deutschland' }],
    ['Jones - Smith', { title: 'Jones - Smith | LinkedIn' }],
    [
      'Acme Bread of Berlin',
      { title: 'Acme Bread ...', pagemap: { metatags: [{ 'og:title': 'Acme Bread of Berlin | LinkedIn' }] } },
    ],
    ['Acme Bread', { title: 'Acme Bread ...', pagemap: { metatags: [{ 'og:title': 'Something else' }] } }],
    ['acme', { title: 'LinkedIn', pagemap: null }],
    ['acme', { title: null }],
  ])('is named %j', async (name, fields) => {
    const { find } = await newEngine(result('https://www.linkedin.com/company/acme/', fields));
    expect((await find()).leads).toMatchObject([{ name }]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['the snippet', { snippet: 'Bakes bread. Website: http://www.acme-bread.de; Industry: Food' }],
    ['a snippet in another language', { snippet: 'Webseite: acme-bread.de. Branche: Lebensmittel' }],
    ['further snippets', { extra_snippets: ['Website. https://acme-bread.de/de External link for Acme'] }],
    ['facts', { attributes: { Website: 'https://www.acme-bread.de' } }],
    ['the page’s structured data', { pagemap: { organization: [{ name: 'Acme', sameas: 'https://acme-bread.de' }] } }],
  ])('has the domain that %s names', async (_, fields) => {
    const { find } = await newEngine(result('https://www.linkedin.com/company/acme', fields));
    expect((await find()).leads).toMatchObject([{ domain: 'acme-bread.de' }]);
  });

  it.each([
    'Website: https://bit.ly/acme',
    'Website: https://www.facebook.com/acme',
    'We build websites. Node.js is what we like.',
    'Our website. Sign.up',
  ])('has no domain if the snippet is %j', async (snippet) => {
    const { find } = await newEngine(result('https://www.linkedin.com/company/acme', { snippet }));
    expect((await find()).leads).toMatchObject([{ domain: undefined }]);
  });

  it('comes once, whichever of its pages are found', async () => {
    const paths = ['acme', 'acme/jobs', 'ACME/about/?lang=de', 'b%C3%A4cker', 'other'];
    const { find } = await newEngine(...paths.map((path) => result(`https://linkedin.com/company/${path}`)));
    expect((await find()).leads.map(({ url }) => url)).toEqual([
      'https://www.linkedin.com/company/acme',
      'https://www.linkedin.com/company/b%C3%A4cker',
      'https://www.linkedin.com/company/other',
    ]);
  });

  it.each([
    'https://www.linkedin.com/in/somebody',
    'https://www.linkedin.com/posts/company/acme',
    'https://www.linkedin.com/company/',
    'https://www.linkedin.com.example.org/company/acme',
    'https://notlinkedin.com/company/acme',
    'https://example.org/?u=https://www.linkedin.com/company/acme',
  ])('is not %s', async (link) => {
    const { find } = await newEngine(result(link), result('https://www.linkedin.com/company/last'));
    expect((await find()).leads).toMatchObject([{ url: 'https://www.linkedin.com/company/last' }]);
  });
});

describe('the search', () => {
  it('is for company pages, whatever sites the filters name', async () => {
    const { engine, find } = await newEngine();
    const filters = { site: 'example.org', exclude: 'jobs', country: 'at' };
    await find({ industry: 'bakery', geography: 'Vienna', filters });
    expect(engine.asked[0]?.get('q')).toBe('bakery Vienna site:linkedin.com/company -jobs');
    expect(engine.asked[0]?.get('gl')).toBe('at');
  });

  it('needs something to search for', () => {
    expect(linkedin.refuse?.(criteria({ keywords: ['rye'] }))).toBeUndefined();
  });

  it('keeps what it found before the engine refused', async () => {
    const pages = Array.from({ length: 15 }, (_, at) => result(`https://linkedin.com/company/c${at}`));
    const { engine, find } = await newEngine(...pages);
    engine.refuses = { ...googleError(429, 'Quota exceeded', 'RESOURCE_EXHAUSTED'), from: 2 };
    expect(await find()).toMatchObject({ leads: { length: 10 }, failure: { name: 'ScrapeFailure', retryable: false } });
  });
});
