import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { jsonLd, links, startCompanySite } from '../../../test/scraping/company-site.js';
import { webScraping } from '../../../test/scraping/web-scrape.js';
import { realPause } from '../crawler/site-visits.js';
import type { FoundLead } from '../leads/lead.js';

const { newScrape, scrape } = webScraping();

const pathsOf = (lead: FoundLead | undefined) =>
  (lead?.raw as { pages: string[] } | undefined)?.pages.map((url) => new URL(url).pathname);

describe('a site', () => {
  it('is worth a longer wait for a turn at its host once it was asked for something', async () => {
    const site = await startCompanySite({ '/': `<title>Acme</title>${links('/about')}`, '/about': '<p>Us' });
    const continuations: unknown[] = [];
    await scrape({ sites: [site.url()], onGet: (options) => continuations.push(options?.isContinuation) });
    expect(site.asked).toEqual(['/robots.txt', '/', '/sitemap.xml', '/about']);
    expect(continuations).toEqual([false, true, true, true]);
  });

  it('that takes too long is a lead of the pages that were read in time', async () => {
    const site = await startCompanySite({ '/': `<title>Acme</title>${links('/about')}`, '/about': '<p>Us' });
    const [lead] = await scrape({ sites: [site.url()], maxMs: 0 });
    expect(pathsOf(lead)).toEqual(['/']);
  });

  it('becomes one lead, put together from its pages, the telling ones first', async () => {
    const acme = { '@type': 'Organization', name: 'Acme GmbH', telephone: '+49 30 1234567' };
    const site = await startCompanySite({
      '/': `<title>Acme | Home</title><meta name="description" content="Tools">${links('/blog', '/kontakt', '/impressum')}${jsonLd(acme)}`,
      '/impressum': '<p>Acme GmbH, Weg 1<br>Tel: 030 1234568<br>Fax: 030 1234569',
      '/kontakt': '<a href="mailto:office@partner.de">Partner</a>',
      '/blog': '<p>writer@elsewhere.de',
    });
    site.pages['/kontakt'] += `<a href="mailto:info@${site.host}">Write</a>`;
    const [lead] = await scrape({ sites: [site.url()] });
    expect(lead).toMatchObject({
      name: 'Acme GmbH',
      domain: site.host,
      description: 'Tools',
      emails: [`info@${site.host}`, 'office@partner.de'],
      phones: ['+49 30 1234567', '030 1234568'],
      url: site.url(),
      raw: { organisations: [acme] },
    });
    expect(site.asked).toEqual(['/robots.txt', '/', '/sitemap.xml', '/impressum', '/kontakt', '/blog']);
  });

  it('that was given without a scheme is asked over http where https does not answer', async () => {
    const site = await startCompanySite({ '/': '<title>Acme</title>' });
    expect(await scrape({ sites: [site.url().slice('http://'.length)] })).toMatchObject([{ name: 'Acme' }]);
  });

  it('that was given by one of its pages is read from there and from its front page', async () => {
    const site = await startCompanySite({ '/': '<title>Acme</title>', '/shop/x?sort=up': '<p>x' });
    const [lead] = await scrape({ sites: [site.url('/shop/x?sort=up')] });
    expect(pathsOf(lead)).toEqual(['/', '/shop/x']);
  });

  it('is read no further than its limits, however many links it has', async () => {
    const endless = (path: string) => links(...Array.from({ length: 30 }, (_, at) => `${path}${at}/`));
    const pages: Record<string, string> = {};
    const site = await startCompanySite(
      new Proxy(pages, { get: (_, path: string) => (/^\/[\d/]*$/.test(path) ? endless(path) : undefined) }),
    );
    const [lead] = await scrape({ sites: [site.url()] });
    expect(pathsOf(lead)).toHaveLength(20);
    expect(pathsOf((await scrape({ sites: [site.url()], maxPages: 2 }))[0])).toHaveLength(2);
  });

  it('is read two links deep', async () => {
    const site = await startCompanySite({
      '/': links('/a'),
      '/a': links('/b'),
      '/b': links('/c'),
      '/c': 'never read',
    });
    await scrape({ sites: [site.url()] });
    expect(site.asked).toContain('/b');
    expect(site.asked).not.toContain('/c');
  });

  it('is left alone when it does not answer again and again, and what was read counts', async () => {
    const paths = Array.from({ length: 10 }, (_, at) => `/p${at}`);
    const broken = Object.fromEntries(paths.map((path) => [path, { status: 500 }]));
    const site = await startCompanySite({ ...broken, '/': `<title>Acme</title>${links(...paths)}` });
    expect(await scrape({ sites: [site.url()] })).toMatchObject([{ name: 'Acme' }]);
    expect(site.asked.filter((path) => path.startsWith('/p'))).toHaveLength(3);
  });

  it('is read at a few of its host names', async () => {
    const site = await startCompanySite({ '/contact': 'x' });
    const names = Array.from({ length: 10 }, (_, at) => site.url('/contact', `n${at}.`));
    site.pages['/'] = links(...names);
    await scrape({ sites: [site.url()] });
    expect(site.asked.filter((path) => path === '/robots.txt')).toHaveLength(5);
    expect(site.asked.filter((path) => path === '/contact')).toHaveLength(4);
  });

  it('is left alone in traps, in files and elsewhere', async () => {
    const other = await startCompanySite({ '/': 'x' });
    const paths = ['/cal?month=5', '/list?sort=up', '/a.pdf', '/a/b/a/b/a/b', other.url(), '/?utm_source=x', '/#top'];
    const site = await startCompanySite({ '/': links(...paths) });
    await scrape({ sites: [site.url()] });
    expect(site.asked).toEqual(['/robots.txt', '/', '/sitemap.xml']);
    expect(other.asked).toEqual([]);
  });
});

describe('sitemaps', () => {
  const urls = (...all: string[]) => `<urlset>${all.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;

  it('lead to pages that nothing links to', async () => {
    const site = await startCompanySite({ '/': 'x', '/legal/imprint': 'y' });
    site.pages['/sitemap.xml'] = urls(site.url('/legal/imprint'), 'https://elsewhere.example/', 'no address');
    expect(pathsOf((await scrape({ sites: [site.url()] }))[0])).toEqual(['/', '/legal/imprint']);
  });

  it('are found by robots.txt and by an index, those of pages first, compressed or not', async () => {
    const site = await startCompanySite({ '/': 'x', '/about': 'y' });
    const index = ['/posts.xml', '/more.xml', '/pages.xml.gz'].map(
      (path) => `<sitemap><loc>${site.url(path)}</loc></sitemap>`,
    );
    site.pages['/robots.txt'] = `Sitemap: ${site.url('/index.xml')}\nSitemap: http://elsewhere.example/s.xml`;
    site.pages['/index.xml'] = `<sitemapindex>${index.join('')}</sitemapindex>`;
    site.pages['/pages.xml.gz'] = { body: gzipSync(urls(site.url('/about'))) };
    await scrape({ sites: [site.url()] });
    expect(site.asked).toEqual(['/robots.txt', '/', '/index.xml', '/pages.xml.gz', '/posts.xml', '/about']);
  });
});

describe('robots.txt', () => {
  it('keeps us from pages', async () => {
    const site = await startCompanySite({
      '/robots.txt': 'User-agent: Millrace\nDisallow: /private',
      '/': links('/private/impressum', '/public'),
      '/public': 'x',
    });
    const [lead] = await scrape({ sites: [site.url()] });
    expect(pathsOf(lead)).toEqual(['/', '/public']);
    expect(site.asked).not.toContain('/private/impressum');
  });

  it('keeps us from a whole site, which is a failure in words', async () => {
    const site = await startCompanySite({ '/robots.txt': 'User-agent: *\nDisallow: /', '/': 'x' });
    await expect(scrape({ sites: [site.url()] })).rejects.toMatchObject({
      name: 'ScrapeFailure',
      message: expect.stringContaining('robots.txt does not allow'),
      retryable: false,
    });
    expect(site.asked).toEqual(['/robots.txt']);
  });

  it('forbids everything where it cannot be read', async () => {
    const site = await startCompanySite({ '/robots.txt': { status: 500 }, '/': 'x' });
    await expect(scrape({ sites: [site.url()] })).rejects.toMatchObject({
      message: expect.stringContaining('robots.txt answered 500'),
      retryable: true,
    });
    expect(site.asked).toEqual(['/robots.txt']);
  });

  it('that is refused for too many requests is asked for again later, and nothing until then', async () => {
    const site = await startCompanySite({ '/robots.txt': { status: 429 }, '/': 'x' });
    await expect(scrape({ sites: [site.url()] })).rejects.toMatchObject({ until: expect.any(Date) });
    expect(site.asked).toEqual(['/robots.txt']);
  });

  it('counts for the host name that it is of', async () => {
    const site = await startCompanySite({
      '/': 'x',
      '/robots.txt': ({ headers }, response) =>
        void response.end(headers.host?.startsWith('shop.') ? 'User-agent: *\nDisallow: /contact' : ''),
      '/contact': 'y',
    });
    site.pages['/'] = `<a href="${site.url('/contact', 'shop.')}">contact</a>`;
    await scrape({ sites: [site.url()] });
    expect(site.asked).toEqual(['/robots.txt', '/', '/sitemap.xml', '/robots.txt']);
  });

  it.each([
    ['half a second', '', 500],
    ['as long as it says', 'User-agent: *\nCrawl-delay: 3', 3_000],
  ])('has us wait %s between two requests', async (_, text, ms) => {
    const site = await startCompanySite({ '/robots.txt': text, '/': links('/a'), '/a': 'x' });
    const { leads, pauses } = newScrape({ sites: [site.url()] });
    for await (const lead of leads) expect(pathsOf(lead)).toEqual(['/', '/a']);
    expect(pauses).toEqual([ms, ms, ms]);
  });
});

describe('the instructions of a page', () => {
  it('not to be kept leave it out and its links in', async () => {
    const site = await startCompanySite({
      '/': links('/impressum', '/kontakt'),
      '/impressum': `<meta name="robots" content="noindex">a@web.de${links('/impressum/more')}`,
      '/impressum/more': 'x',
      '/kontakt': { headers: { 'x-robots-tag': 'noindex' }, body: 'b@web.de' },
    });
    const [lead] = await scrape({ sites: [site.url()] });
    expect(pathsOf(lead)).toEqual(['/', '/impressum/more']);
    expect(lead?.emails).toEqual([]);
  });

  it('not to be followed are obeyed, for all links and for one', async () => {
    const site = await startCompanySite({
      '/': `${links('/a', '/b')}<a rel="nofollow" href="/never1">x</a>`,
      '/a': `<meta name="robots" content="nofollow">${links('/never2')}`,
      '/b': { headers: { 'x-robots-tag': 'nofollow' }, body: links('/never3') },
    });
    await scrape({ sites: [site.url()] });
    expect(site.asked.filter((path) => path.includes('never'))).toEqual([]);
  });
});

describe('what is no page', () => {
  it.each([
    ['another type', { headers: { 'content-type': 'application/pdf' }, body: '%PDF' }],
    ['an answer of 404', { status: 404, body: 'x' }],
    ['more bytes than a page has', { body: 'x'.repeat(6_000_000) }],
    ['5 MB of nesting', { body: '<div>'.repeat(900_000) }],
    ['bytes', { body: Buffer.from(Array.from({ length: 50_000 }, (_, at) => (at * 7919) % 256)) }],
  ])('spoils nothing else: %s', async (_, page) => {
    const site = await startCompanySite({ '/': links('/x', '/kontakt'), '/x': page, '/kontakt': 'info@acme.de' });
    expect(await scrape({ sites: [site.url()] })).toMatchObject([{ emails: ['info@acme.de'] }]);
  });

  it('where it redirects to another site is not read, and nothing from there on', async () => {
    const other = await startCompanySite({ '/x': `info@acme.de${links('/y')}` });
    const site = await startCompanySite({
      '/': links('/away', '/here'),
      '/away': { status: 302, headers: { location: other.url('/x') } },
      '/here': { status: 302, headers: { location: '/there' } },
      '/there': 'x',
    });
    const [lead] = await scrape({ sites: [site.url()] });
    expect(pathsOf(lead)).toEqual(['/', '/there']);
    expect(lead?.emails).toEqual([]);
    expect(other.asked).toEqual(['/x']);
  });
});

describe('several sites', () => {
  it('do not suffer from bad ones, which are named in the end', async () => {
    const good = await startCompanySite({ '/': '<title>Good</title>' });
    const bad = await startCompanySite({ '/': { status: 500 } });
    const sites = [bad.url(), 'http://10.0.0.1/', good.url(), 'http://[::1]:1/'];
    const leads = newScrape({ sites }).leads[Symbol.asyncIterator]();
    expect((await leads.next()).value).toMatchObject({ name: 'Good' });
    await expect(leads.next()).rejects.toMatchObject({
      name: 'ScrapeFailure',
      message: expect.stringMatching(/^3 of 4 sites could not be read: .*10\.0\.0\.1/),
      isPartial: true,
      retryable: false,
      until: undefined,
    });
  });

  it('that are all bad are a failure that says why', async () => {
    const bad = await startCompanySite({ '/': { status: 500 } });
    await expect(scrape({ sites: ['http://10.0.0.1/', bad.url()] })).rejects.toMatchObject({
      name: 'ScrapeFailure',
      message: expect.stringMatching(/^http:\/\/10\.0\.0\.1 .*; http:\/\/company-\d+\.example:\d+\/ answered 500$/),
      retryable: true,
    });
  });

  it('that ask to be left alone are asked again when they say', async () => {
    const site = await startCompanySite({ '/': { status: 429, headers: { 'retry-after': '600' } }, '/x': 'x' });
    const failure = await scrape({ sites: [site.url('/'), site.url('/x')] }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'ScrapeFailure', retryable: false, until: expect.any(Date) });
    expect(site.asked).toEqual(['/robots.txt', '/']);
  });

  it('at a private address are refused, also by name and by redirect', async () => {
    const site = await startCompanySite({ '/': 'x' });
    await expect(scrape({ sites: [site.url()], allowNetworks: [] })).rejects.toMatchObject({ name: 'ScrapeFailure' });
    expect(site.asked).toEqual([]);
    const sly = await startCompanySite({ '/': { status: 302, headers: { location: 'http://192.168.0.1/' } } });
    await expect(scrape({ sites: [sly.url()] })).rejects.toMatchObject({
      message: expect.stringContaining('192.168.0.1'),
    });
  });

  it('come as soon as each is done', async () => {
    let answer = () => {};
    const slow = await startCompanySite({
      '/': (_, response) => {
        answer = () => void response.setHeader('content-type', 'text/html').end('<title>Slow</title>');
      },
    });
    const quick = await startCompanySite({ '/': '<title>Quick</title>' });
    const leads = newScrape({ sites: [slow.url(), quick.url()] }).leads[Symbol.asyncIterator]();
    expect((await leads.next()).value).toMatchObject({ name: 'Quick' });
    await expect.poll(() => slow.asked).toContain('/');
    answer();
    expect((await leads.next()).value).toMatchObject({ name: 'Slow' });
    expect((await leads.next()).done).toBe(true);
  });
});

describe('a scrape that is not wanted any more', () => {
  it('ends at once with the reason', async () => {
    const stop = new AbortController();
    const site = await startCompanySite({ '/': () => stop.abort(new Error('cancelled')) });
    await expect(scrape({ sites: [site.url()], signal: stop.signal })).rejects.toThrow('cancelled');
    expect(site.asked).toEqual(['/robots.txt', '/']);
  });

  it('ends at once while a page is read, too', async () => {
    const stop = new AbortController();
    const site = await startCompanySite({ '/': 'x' });
    const readPage = () => {
      setImmediate(() => stop.abort(new Error('cancelled')));
      return new Promise<never>(() => undefined);
    };
    await expect(scrape({ sites: [site.url()], signal: stop.signal, readPage })).rejects.toThrow('cancelled');
  });

  it('ends at once while it waits for its turn, too', async () => {
    const stop = new AbortController();
    const pause = realPause(600_000, stop.signal);
    stop.abort(new Error('cancelled'));
    await expect(pause).rejects.toThrow('cancelled');
  });

  it('asks nobody further once its leads are not taken any more', async () => {
    let isClosed = false;
    const close = () => {
      isClosed = true;
    };
    const slow = await startCompanySite({ '/': ({ socket }) => void socket.on('close', close) });
    const quick = await startCompanySite({ '/': '<title>Quick</title>' });
    for await (const lead of newScrape({ sites: [slow.url(), quick.url()] }).leads) {
      await expect.poll(() => slow.asked).toContain('/');
      if (lead) break;
    }
    await expect.poll(() => isClosed).toBe(true);
    expect(slow.asked).toEqual(['/robots.txt', '/']);
  });
});

it('leaves out a site whose company contradicts a filter', async () => {
  const page = (employees: string) => jsonLd({ '@type': 'Organization', name: 'Acme', numberOfEmployees: employees });
  const small = await startCompanySite({ '/': page('20') });
  const large = await startCompanySite({ '/': page('5001-10000') });
  const leads = await scrape({ sites: [small.url(), large.url()], filters: { company_size: '<50' } });
  expect(leads.map(({ domain }) => domain)).toEqual([small.host]);
});
