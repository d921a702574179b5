import type { RequestListener } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../test/harness/database.js';
import { outgoingClient, outgoingParts } from '../../test/harness/outgoing.js';
import { type Site, startSite } from '../../test/harness/site.js';
import { FakeMastodon } from '../../test/platforms/fake-mastodon.js';
import type { FetcherTools } from '../fetching/fetcher.js';
import { FeedParser } from '../fetching/parsing/feed-parser.js';
import { SourceCatalogue } from '../fetching/source-catalogue.js';
import { type Config, parseConfig } from '../platform/config.js';
import { Discovery } from './discovery.js';
import { Documents } from './documents.js';

const db = testDatabase();
const FEED = '<rss><channel><title>News</title></channel></rss>';

const documents = new Documents();
const parser = new FeedParser();
afterAll(async () => {
  await documents.onApplicationShutdown();
  await parser.onApplicationShutdown();
});

/** Without choices loopback may be asked, and every type that needs no worker is there. */
function newDiscovery({ allowNetworks = ['127.0.0.1'], config = {} }: Choices = {}): Discovery {
  const http = outgoingClient(db.database, { allowNetworks });
  const catalogue = new SourceCatalogue({ ...parseConfig({}), ...config }, http, { isConfigured: false });
  const tools: FetcherTools = {
    http,
    config: { youtubeUrl: 'http://youtube.invalid/', blueskyUrl: 'http://bluesky.invalid/', ...config },
    parseFeed: (document) => parser.parse(document),
    askWorker: (type) => Promise.reject(new Error(`nobody fetches ${type} here`)),
  };
  return new Discovery(http, catalogue, { tools }, documents);
}

interface Choices {
  allowNetworks?: string[];
  config?: Partial<Pick<Config, 'mastodonUrl' | 'remoteTypes'>>;
}

type Pages = Record<string, string | { status: number; location?: string; headers?: Record<string, string> }>;

async function siteOf(pages: Pages): Promise<Site & { asked: string[] }> {
  const asked: string[] = [];
  const listener: RequestListener = ({ url = '' }, response) => {
    asked.push(url);
    const page = pages[url] ?? { status: 404 };
    if (typeof page === 'string') response.setHeader('content-type', 'text/html').end(page);
    else response.writeHead(page.status, { ...page.headers, ...(page.location && { location: page.location }) }).end();
  };
  return Object.assign(await startSite(listener), { asked });
}

const failing = (code: string, detail: string | RegExp) => ({
  code,
  message: expect.stringMatching(detail),
  errors: [{ path: 'url', message: expect.stringMatching(detail) }],
});

describe('an address', () => {
  it('of a profile is the source that its type recognises', async () => {
    const { url: mastodonUrl } = await new FakeMastodon().start();
    const discovery = newDiscovery({ config: { mastodonUrl } });
    const found = [{ type: 'mastodon', externalId: 'alice@social.example', title: null }];
    expect(await discovery.find('https://social.example/@alice')).toEqual(found);
    expect(await discovery.find('social.example/@alice')).toEqual(found);
    expect(await discovery.find('@alice@social.example')).toEqual(found);
  });

  it('of a profile whose type needs a worker is refused while no worker can be reached', async () => {
    const discovery = newDiscovery({ config: { remoteTypes: ['instagram'] } });
    await expect(discovery.find('https://www.instagram.com/anna/')).rejects.toMatchObject({
      code: 'worker_needed',
      message: expect.stringContaining('RABBITMQ_URL is not set'),
    });
  });

  it('that looks like a profile and is none is read like any page', async () => {
    const site = await siteOf({ '/@anna': FEED });
    expect(await newDiscovery().find(site.url('/@anna'))).toMatchObject([{ externalId: site.url('/@anna') }]);
  });

  it('of a feed is that feed', async () => {
    const site = await siteOf({ '/x': FEED });
    expect(await newDiscovery().find(site.url('/x'))).toEqual([
      { type: 'rss', externalId: site.url('/x'), title: 'News' },
    ]);
    expect(site.asked).toEqual(['/x']);
  });

  it('without a scheme is asked for over http where https does not answer', async () => {
    const site = await siteOf({ '/x': FEED });
    const typed = site.url('/x').replace('http://', '');
    expect(await newDiscovery().find(typed)).toMatchObject([{ externalId: site.url('/x') }]);
    expect(await newDiscovery().find(`feed://${typed}`)).toMatchObject([{ externalId: site.url('/x') }]);
  });

  it('that has moved for good is followed at its new place, one that has moved for now is not', async () => {
    const site = await siteOf({
      '/old': { status: 301, location: '/new' },
      '/new': { status: 302, location: '/today' },
      '/today': FEED,
    });
    expect(await newDiscovery().find(site.url('/old'))).toMatchObject([{ externalId: site.url('/new') }]);
    expect(await newDiscovery().find(site.url('/new'))).toMatchObject([{ externalId: site.url('/new') }]);
  });
});

describe('an address with a user and a password', () => {
  const asUser = (url: string) => url.replace('http://', 'http://ann:secret@');

  it('keeps them for what it leads to on its own site', async () => {
    const site = await siteOf({
      '/old': { status: 301, location: '/new' },
      '/new': FEED,
      '/page': '<link rel=alternate type=application/rss+xml href=/new>',
      '/links': '<a href=/new/feed>Feed</a>',
      '/new/feed': FEED,
    });
    for (const path of ['/new', '/old', '/page'])
      expect(await newDiscovery().find(asUser(site.url(path)))).toMatchObject([
        { externalId: asUser(site.url('/new')) },
      ]);
    expect(await newDiscovery().find(asUser(site.url('/links')))).toMatchObject([
      { externalId: asUser(site.url('/new/feed')) },
    ]);
    const nothing = newDiscovery().find(asUser(site.url('/nothing')));
    await expect(nothing).rejects.toMatchObject({ message: expect.not.stringContaining('secret') });
  });

  it('does not give them to another site', async () => {
    const other = await siteOf({ '/': FEED });
    const site = await siteOf({
      '/moved': { status: 301, location: other.url('/', 'other.example') },
      '/page': `<link rel=alternate type=application/rss+xml href=${other.url('/', 'other.example')}>`,
    });
    for (const path of ['/moved', '/page'])
      expect(await newDiscovery().find(asUser(site.url(path)))).toMatchObject([
        { externalId: other.url('/', 'other.example') },
      ]);
  });
});

describe('a page', () => {
  it('that names feeds gives all of them, and they are not asked for', async () => {
    const site = await siteOf({
      '/blog/': `<link rel=alternate type=application/rss+xml title=Comments href=/comments>
        <link rel=alternate type=application/rss+xml title=Posts href=feed>
        <link rel=alternate type=application/atom+xml href=http://10.0.0.1/feed>`,
    });
    expect(await newDiscovery().find(site.url('/blog/'))).toEqual([
      { type: 'rss', externalId: site.url('/blog/feed'), title: 'Posts' },
      { type: 'rss', externalId: site.url('/comments'), title: 'Comments' },
    ]);
    expect(site.asked).toEqual(['/blog/']);
  });

  it('that only links to something like a feed leads to it if it is one', async () => {
    const site = await siteOf({
      '/': '<a href="/rss-explained">What is RSS?</a> <a href="/our.rss">Feed</a>',
      '/rss-explained': '<p>It is…</p>',
      '/our.rss': FEED,
    });
    expect(await newDiscovery().find(site.url('/'))).toMatchObject([{ externalId: site.url('/our.rss') }]);
    expect(site.asked).toEqual(['/', '/rss-explained', '/our.rss']);
  });

  it('that says nothing has a feed where feeds often are, also if it cannot be read itself', async () => {
    const pages = { '/': '<p>Hello</p>', '/rss': { status: 301, location: '/rss/' }, '/rss/': FEED };
    const site = await siteOf(pages);
    expect(await newDiscovery().find(site.url('/'))).toMatchObject([{ externalId: site.url('/rss/') }]);
    expect(site.asked).toEqual(['/', '/feed', '/feed.xml', '/rss', '/rss/']);
    const closed = await siteOf({ ...pages, '/': { status: 403 } });
    expect(await newDiscovery().find(closed.url('/'))).toMatchObject([{ externalId: closed.url('/rss/') }]);
  });

  it('that leads to no feed is a problem that says what was tried, after at most eight requests', async () => {
    const site = await siteOf({ '/a/b/': `<p>${'<a href=/feed/x>x</a>'.repeat(3)}` });
    await expect(newDiscovery().find(site.url('/a/b/'))).rejects.toMatchObject(
      failing('feed_not_found', /\/a\/b\/ is no feed and names none; no feed at \/feed\/x, \/a\/b\/feed, .* either/),
    );
    expect(site.asked).toHaveLength(9);
    const missing = await siteOf({});
    await expect(newDiscovery().find(missing.url('/no'))).rejects.toMatchObject(
      failing('feed_not_found', /\/no answered 404/),
    );
  });
});

describe('an address that cannot be followed', () => {
  it.each(['nonsense', 'ftp://example.org/', 'https://'])('is named when it is "%s"', async (typed) => {
    await expect(newDiscovery().find(typed)).rejects.toMatchObject(
      failing('validation_failed', 'not an http or https'),
    );
  });

  it.each(['http://127.0.0.1/', 'http://2130706433/', '[::1]', 'http://10.0.0.1/feed', 'http://localhost:2/'])(
    'is refused when it is %s',
    async (typed) => {
      await expect(newDiscovery({ allowNetworks: [] }).find(typed)).rejects.toMatchObject(
        failing('address_refused', 'leads to'),
      );
    },
  );

  it('is refused when a redirect leads inside', async () => {
    const site = await siteOf({ '/': { status: 302, location: 'http://10.0.0.1/' } });
    await expect(newDiscovery().find(site.url('/'))).rejects.toMatchObject(failing('address_refused', '10.0.0.1'));
  });

  it('is a site that does not answer, fails, or wants to be left alone', async () => {
    await expect(newDiscovery().find('http://127.0.0.1:2/')).rejects.toMatchObject(failing('site_unreachable', '127'));
    const broken = await siteOf({ '/': { status: 500 } });
    await expect(newDiscovery().find(broken.url('/'))).rejects.toMatchObject(
      failing('site_unreachable', /answered 500/),
    );
    const busy = await siteOf({ '/': '<p>', '/feed': { status: 429, headers: { 'retry-after': '60' } } });
    await expect(newDiscovery().find(busy.url('/', 'busy.example'))).rejects.toMatchObject(
      failing('site_unreachable', /left alone until/),
    );
    expect(busy.asked).toEqual(['/', '/feed']);
  });

  it('is a site whose turn comes too late to look for its feeds', async () => {
    const site = await siteOf({ '/': '<p>' });
    const host = `slow-${site.port}.example`;
    await outgoingParts(db.database).store.set({ host, perMinute: 1 });
    await expect(newDiscovery().find(site.url('/', host))).rejects.toMatchObject(
      failing('site_unreachable', /takes no more than 1 requests a minute/),
    );
    expect(site.asked).toEqual(['/']);
  });

  it('is a site that takes longer than anybody waits', async () => {
    const site = await startSite(() => undefined);
    await expect(newDiscovery().find(site.url('/'), AbortSignal.timeout(200))).rejects.toMatchObject(
      failing('site_unreachable', 'in time'),
    );
  });
});
