import { describe, expect, it } from 'vitest';
import type { PageContent } from '../scraper.js';
import type { SitePage } from './crawl-site.js';
import { leadOfSite, nameInTitle } from './lead-of-site.js';
import { WORTH } from './page-worth.js';

const EMPTY: PageContent = { organisations: [], emails: [], phones: [], links: [], noFollow: false, noIndex: false };

function page(kind: keyof typeof WORTH, content: Partial<PageContent>): SitePage {
  return { url: `https://acme.de/${kind}`, worth: WORTH[kind], content: { ...EMPTY, ...content } };
}

const lead = (first: SitePage, ...others: SitePage[]) => leadOfSite('acme.de', [first, ...others]);

describe('the lead of a site', () => {
  it('has what the site says about itself in data first, then what its pages show', () => {
    const own = {
      name: 'Acme GmbH',
      domain: 'acme.de',
      emails: ['Info@acme.de'],
      phones: ['+49 30 1'],
      raw: { own: 1 },
    };
    const home = page('home', { title: 'Acme', description: 'Tools', organisations: [own] });
    const imprint = page('imprint', { emails: ['boss@gmail.com', 'info@acme.de'], phones: ['030 2', '+49301'] });
    expect(lead(home, imprint)).toEqual({
      name: 'Acme GmbH',
      domain: 'acme.de',
      emails: ['info@acme.de', 'boss@gmail.com'],
      phones: ['+49 30 1', '030 2'],
      address: undefined,
      country: undefined,
      description: 'Tools',
      url: 'https://acme.de/home',
      raw: {
        pages: ['https://acme.de/home', 'https://acme.de/imprint'],
        titles: ['Acme'],
        descriptions: ['Tools'],
        organisations: [{ own: 1 }],
      },
    });
  });

  it('is put together from all descriptions of the company, and from no other', () => {
    const organisations = [
      { name: 'Customer AG', domain: 'customer.de', emails: ['x@customer.de'], raw: {} },
      { name: 'Somebody', emails: ['somebody@web.de'], raw: {} },
      { name: 'Acme GmbH', domain: 'acme.de', raw: {} },
      { name: 'ACME GmbH', address: 'Weg 1', country: 'DE', raw: {} },
    ];
    const found = lead(page('home', { organisations }));
    expect(found).toMatchObject({ name: 'Acme GmbH', address: 'Weg 1', country: 'DE', emails: [] });
  });

  it('is not whom an article is about', () => {
    const article = { organisations: [{ name: 'Stranger', raw: {} }], emails: ['a@stranger.de', 'x@mail.acme.de'] };
    const found = lead(page('home', { siteName: 'Acme' }), page('other', { ...article, phones: ['030 999'] }));
    expect(found).toMatchObject({ name: 'Acme', emails: ['x@mail.acme.de'], phones: [] });
  });

  it.each<[string, Partial<PageContent>, string]>([
    ['what the page calls the site', { siteName: 'Acme Tools', title: 'Home | Acme' }, 'Acme Tools'],
    ['the title of the front page', { title: 'Home | Acme' }, 'Acme'],
    ['its domain', { title: 'Home' }, 'acme.de'],
  ])('is named after %s where nothing better is known', (_, content, name) => {
    expect(lead(page('imprint', { title: 'Legal things' }), page('home', content)).name).toBe(
      name === 'acme.de' ? 'Legal things' : name,
    );
    expect(lead(page('home', content)).name).toBe(name);
  });

  it('keeps what its data says once, and not more than fits', () => {
    const organisations = [{ name: 'Acme', raw: { name: 'Acme' } }];
    const large = [{ name: 'X', domain: 'x.de', raw: { text: 'x'.repeat(100_000) } }];
    const { raw } = lead(
      page('home', { organisations }),
      page('other', { organisations: [...large, ...organisations] }),
    );
    expect(raw).toMatchObject({ organisations: [{ name: 'Acme' }] });
    const many = Array.from({ length: 100 }, (_, at) => ({ name: `X${at}`, raw: { text: `${at}`.padEnd(1_000) } }));
    expect(JSON.stringify(lead(page('home', { organisations: many })).raw).length).toBeLessThan(60_000);
  });

  it('has no domain where the site is an address', () => {
    expect(leadOfSite('192.0.2.7', [page('home', {})])).toMatchObject({ name: '192.0.2.7', domain: undefined });
  });
});

it.each([
  ['Acme GmbH', 'x.de', 'Acme GmbH'],
  ['Home | Acme GmbH', 'x.de', 'Acme GmbH'],
  ['Startseite - Acme GmbH', 'x.de', 'Acme GmbH'],
  ['Fine tools – made in Berlin – Acme', 'acme.de', 'Acme'],
  ['Welcome to Acme', 'x.de', 'Acme'],
  ['Herzlich willkommen bei der Acme GmbH', 'x.de', 'Acme GmbH'],
  ['Zahnarzt Berlin: Dr. Müller', 'dr-mueller.de', 'Dr. Müller'],
  ['Best-of-breed tools', 'x.de', 'Best-of-breed tools'],
  ['Home', 'x.de', undefined],
  ['', 'x.de', undefined],
  [' | - ', 'x.de', undefined],
])('the title %j at %s names %j', (title, domain, name) => {
  expect(nameInTitle(title, domain)).toBe(name);
});
