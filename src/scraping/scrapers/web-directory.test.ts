import { describe, expect, it } from 'vitest';
import { jsonLd, links, startCompanySite } from '../../../test/scraping/company-site.js';
import { webScraping } from '../../../test/scraping/web-scrape.js';

const { scrape } = webScraping();

describe('a directory', () => {
  const baker = (name: string, fields: object = {}) => ({ '@type': 'Bakery', name, ...fields });
  const filters = { directory: true };

  it('is a lead for each organisation with a web address of its own', async () => {
    const site = await startCompanySite({
      '/members': `<title>Members</title>${jsonLd([
        baker('Acme', { url: 'https://acme-bread.de/', telephone: '+49 30 1234567' }),
        baker('Bolt', { url: '/members/bolt', sameAs: ['https://www.facebook.com/bolt', 'https://bolt-bread.de'] }),
        baker('Acme again', { url: 'https://www.acme-bread.de/shop' }),
        baker('Nowhere'),
        baker('On a platform', { url: 'https://instagram.com/x' }),
      ])}<div itemscope itemtype="https://schema.org/Bakery">
        <span itemprop="name">Core</span><a itemprop="url" href="https://core-bread.de">site</a></div>`,
    });
    const leads = await scrape({ sites: [site.url('/members')], filters });
    expect(leads).toMatchObject([
      { name: 'Acme', domain: 'acme-bread.de', phones: ['+49 30 1234567'], url: site.url('/members') },
      { name: 'Bolt', domain: 'bolt-bread.de' },
      { name: 'Core', domain: 'core-bread.de' },
    ]);
    expect(site.asked).toEqual(['/robots.txt', '/members']);
  });

  it('is read with its further pages and those below it, and no others', async () => {
    const listing = (at: number) => jsonLd(baker(`Baker ${at}`, { url: `https://baker-${at}.de` }));
    const site = await startCompanySite({
      '/members': `${listing(1)}${links('/imprint', '/members?page=2', '/members/four')}`,
      '/members?page=2': `${listing(2)}${links('/members?page=3')}`,
      '/members?page=3': listing(3),
      '/members/four': listing(4),
      '/imprint': listing(5),
    });
    const leads = await scrape({ sites: [site.url('/members')], filters });
    expect(leads.map(({ name }) => name)).toEqual(['Baker 1', 'Baker 2', 'Baker 3', 'Baker 4']);
  });

  it('that lists nobody is reported', async () => {
    const site = await startCompanySite({ '/': `<title>Acme</title>${jsonLd(baker('Acme'))}` });
    await expect(scrape({ sites: [site.url()], filters })).rejects.toThrow('lists no organisations with web addresses');
  });

  it('is filtered by what its organisations say about themselves', async () => {
    const site = await startCompanySite({
      '/': jsonLd([
        baker('Small', { url: 'https://small.de', numberOfEmployees: { '@type': 'QuantitativeValue', value: 12 } }),
        baker('Large', { url: 'https://large.de', numberOfEmployees: { minValue: 500, maxValue: 1000 } }),
        baker('Old', { url: 'https://old.de', foundingDate: '1890-05-01' }),
        baker('French', { url: 'https://french.fr', address: { addressCountry: 'FR' } }),
        baker('Silent', { url: 'https://silent.de' }),
      ]),
    });
    const company = { company_size: '11-50', founded: '2000+', country: 'Germany' };
    const leads = await scrape({ sites: [site.url()], filters: { ...filters, ...company } });
    expect(leads.map(({ name }) => name)).toEqual(['Small', 'Silent']);
  });
});
