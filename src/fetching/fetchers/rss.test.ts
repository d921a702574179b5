import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { item, rssOf } from '../../../test/fetching/made-feeds.js';
import { testDatabase } from '../../../test/harness/database.js';
import { startSite } from '../../../test/harness/site.js';
import { fetcherTools } from '../../../test/platforms/fetcher-tools.js';
import type { Validators } from '../../sources/fetch-states.table.js';
import type { FetchCommand, FetchedPage } from '../fetcher.js';
import { rss } from './rss.js';

const store = testDatabase();
const now = new Date('2026-01-01T00:00:00Z');
const FEED = rssOf('<title>News</title><link>https://site.example/</link>', item('<guid>1</guid><title>One</title>'));

/** Serves a feed at `/feed` and fetches it on request. */
async function sourceAt(listener: RequestListener) {
  const site = await startSite(listener);
  const tools = fetcherTools(store.database);
  const command = (given: Partial<FetchCommand>): FetchCommand => ({
    externalId: site.url('/feed'),
    validators: {},
    limit: 50,
    now,
    signal: new AbortController().signal,
    ...given,
  });
  const ask = (given: Partial<FetchCommand>) => rss.fetch(command(given), tools);
  const fetch = (validators: Validators = {}, externalId = site.url('/feed')) => ask({ validators, externalId });
  return { site, fetch, ask };
}

/** Each test uses its own host, because a refusal closes the host for all. */
const answering = (status: number, headers: Record<string, string> = {}, body = '') =>
  sourceAt((_, response) => response.writeHead(status, headers).end(body));

describe('a feed', () => {
  it('is fetched with its title, posts and validators', async () => {
    const { fetch } = await answering(
      200,
      { etag: '"1"', 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT', 'cache-control': 'max-age=60' },
      FEED,
    );
    expect(await fetch()).toMatchObject({
      source: { title: 'News', siteUrl: 'https://site.example/' },
      posts: [{ externalId: '1', title: 'One' }],
      validators: { etag: '"1"', lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT', bodyHash: expect.any(String) },
      allows: { everySeconds: 60 },
      movedTo: undefined,
    });
  });

  it('is read in the charset and from the place that its headers tell', async () => {
    const body = Buffer.from(rssOf(item('<link>x</link><title>caf\xe9</title>')), 'latin1');
    const { fetch } = await sourceAt((_, response) => {
      const headers = { 'content-type': 'text/xml; charset=iso-8859-1', 'content-location': 'https://a.example/b/' };
      response.writeHead(200, headers).end(body);
    });
    expect(await fetch()).toMatchObject({ posts: [{ title: 'café', url: 'https://a.example/b/x' }] });
  });
});

describe('an unchanged feed', () => {
  it('is not read again where the server says so', async () => {
    const { fetch } = await sourceAt((request, response) => {
      if (request.headers['if-none-match'] === '"1"') response.writeHead(304, { 'cache-control': 'max-age=90' }).end();
      else response.writeHead(200, { etag: '"1"' }).end(FEED);
    });
    const { validators = {} } = await fetch();
    expect(await fetch(validators)).toEqual({
      unchanged: true,
      notModified: true,
      validators,
      allows: { everySeconds: 90 },
    });
  });

  it('is not read again where its body is the same, and its validators are renewed', async () => {
    let version = 0;
    const { fetch } = await sourceAt((_, response) => {
      version += 1;
      response.writeHead(200, { etag: `"${version}"` }).end(FEED);
    });
    const { validators = {} } = await fetch();
    expect(await fetch(validators)).toMatchObject({ unchanged: true, validators: { ...validators, etag: '"2"' } });
  });

  it('still has the allowances that were read in it', async () => {
    const { fetch } = await answering(
      200,
      { 'cache-control': 'max-age=60' },
      rssOf('<ttl>30</ttl><skipHours><hour>3</hour></skipHours>'),
    );
    const { validators = {} } = await fetch();
    expect(await fetch(validators)).toMatchObject({ unchanged: true, allows: { everySeconds: 1_800, skipHours: [3] } });
  });

  it('that says nothing of its age leaves what it said before', async () => {
    const { fetch } = await answering(304);
    expect(await fetch({ etag: '"1"' })).toMatchObject({ unchanged: true, allows: undefined });
  });
});

describe('a feed that was read before', () => {
  const MINUTE = 60_000;
  const HOUR = 60 * MINUTE;
  const post = (name: string) => item(`<guid>${name}</guid><title>${name}</title>`);

  /** Serves the given feed and fetches it with the validators of the last fetch. */
  async function keptFeed() {
    let shown = '';
    let left: Pick<FetchedPage, 'validators' | 'digests'> = {};
    let asked = 0;
    const { ask } = await sourceAt((_, response) => response.end(shown));
    const digests = async () => {
      asked += 1;
      return left.digests ?? null;
    };
    const fetch = async (after: number, given: Partial<FetchCommand>, ...inner: string[]) => {
      shown = rssOf('<ttl>5</ttl>', ...inner);
      const at = new Date(now.getTime() + after);
      const page = await ask({ validators: left.validators ?? {}, digests, now: at, ...given });
      left = { digests: left.digests, ...page };
      return page;
    };
    return { fetch, asked: () => asked };
  }

  it('brings only what is new', async () => {
    const { fetch } = await keptFeed();
    await fetch(0, {}, post('a'), post('b'));
    expect(await fetch(MINUTE, {}, post('a'), post('c'), post('b'))).toMatchObject({
      partly: true,
      posts: [{ externalId: 'c', place: 1 }],
      allows: { everySeconds: 300 },
    });
  });

  it('is unchanged if nothing in it is new, and its allowances still apply', async () => {
    const { fetch } = await keptFeed();
    const { validators } = await fetch(0, {}, '<lastBuildDate>1</lastBuildDate>', post('a'));
    expect(await fetch(MINUTE, {}, '<lastBuildDate>2</lastBuildDate>', post('a'))).toEqual({
      unchanged: true,
      notModified: false,
      validators: { ...validators, bodyHash: expect.not.stringMatching(validators?.bodyHash ?? '') },
      allows: { everySeconds: 300 },
      movedTo: undefined,
    });
  });

  it('is read as a whole once a day', async () => {
    const { fetch } = await keptFeed();
    const partly = [];
    for (const [at, hours] of [0, 12, 23, 25, 48].entries()) {
      const names = Array.from({ length: at + 2 }, (_, name) => post(String(name)));
      partly.push(await fetch(hours * HOUR, {}, ...names));
    }
    expect(partly.map((page) => 'partly' in page && page.partly)).toEqual([false, true, true, false, true]);
  });

  it('is read as a whole where its fields or its archive are wanted', async () => {
    const { fetch, asked } = await keptFeed();
    await fetch(0, {}, post('a'), post('b'));
    for (const given of [{ fields: { name: ['title'] } }, { archive: true }]) {
      expect(
        await fetch(MINUTE, given, post('c'), post('a'), post('b'), post(Object.keys(given).join())),
      ).toMatchObject({
        posts: [{ externalId: 'c' }, {}, {}, {}],
      });
    }
    expect(asked()).toBe(0);
  });

  it('ignores its digests once its items could not be distinguished', async () => {
    const { fetch, asked } = await keptFeed();
    await fetch(0, {}, post('a'), post('b'));
    await fetch(MINUTE, {}, post('a'), item('<guid>a</guid><title>another</title>'), post('b'));
    expect(asked()).toBe(1);
    expect(await fetch(2 * MINUTE, {}, post('a'), post('b'))).toMatchObject({ posts: [{}, {}] });
    expect(asked()).toBe(1);
  });
});

describe('a refusal', () => {
  it('is reported with the name of its status', async () => {
    const { fetch, site } = await answering(451, {}, FEED);
    const message = `legal.example:${site.port} answered 451: Unavailable For Legal Reasons`;
    await expect(fetch({}, site.url('/feed', 'legal.example'))).rejects.toMatchObject({ message });
  });

  it('of a page that is no feed says what it is', async () => {
    const { fetch } = await answering(200, { 'content-type': 'text/html' }, '<!doctype html><title>x</title>');
    await expect(fetch()).rejects.toMatchObject({
      code: 'INVALID_CONTENT',
      message: 'this is an HTML page, not a feed',
    });
  });
});

describe('a feed that has moved', () => {
  const moving = (status: number, to: string, body = FEED) =>
    sourceAt((request, response) => {
      if (request.url === '/feed') response.writeHead(status, { location: to }).end();
      else response.writeHead(200).end(body);
    });

  it.each([301, 308])('for good (%s) tells its new address in the one spelling', async (status) => {
    const { fetch, site } = await moving(status, '/new/../%c3%a9#x');
    const address = site.url('/%C3%A9');
    expect(await fetch()).toMatchObject({ movedTo: address, servedBy: address, posts: [{ externalId: '1' }] });
  });

  it('is read at its new address even if that knows the validators of the old one', async () => {
    const { fetch, site } = await sourceAt((request, response) => {
      if (request.url === '/feed') response.writeHead(301, { location: '/new' }).end();
      else if (request.headers['if-none-match'] === '"old"') response.writeHead(304).end();
      else response.writeHead(200).end(FEED);
    });
    const page = await fetch({ etag: '"old"' });
    expect(page).toMatchObject({ movedTo: site.url('/new'), posts: [{ externalId: '1' }] });
  });

  it('for now stays where it is', async () => {
    const { fetch } = await moving(302, '/new');
    expect(await fetch()).toMatchObject({ movedTo: undefined, posts: [{ externalId: '1' }] });
  });

  it('takes its password along within its site', async () => {
    const { fetch, site } = await moving(301, '/new');
    const page = await fetch({}, site.url('/feed', 'ann:secret@site.example'));
    expect(page).toMatchObject({ movedTo: site.url('/new', 'ann:secret@site.example') });
  });

  it('to something that is no feed has not moved', async () => {
    const { fetch } = await moving(301, '/new', '<html></html>');
    await expect(fetch()).rejects.toMatchObject({ code: 'INVALID_CONTENT' });
  });
});

describe('the archive of a feed', () => {
  const pages: Record<string, string> = {
    '/feed': rssOf('<title>News</title><atom:link rel="next" href="/feed?page=2"/>', item('<guid>2</guid>')),
    '/feed?page=2': rssOf(
      '<title>Old news</title><ttl>9</ttl><atom:link rel="next" href="/feed?page=3"/>',
      item('<guid>1</guid><job:n>7</job:n>'),
      '<item/>',
    ),
    '/feed?page=3': rssOf('<atom:link rel="next" href="/feed"/>', item('<guid>0</guid>')),
    '/loop': rssOf('<atom:link rel="next" href="/round"/>'),
  };
  /** Sends validators with every page, and records those it receives. */
  const paged = async () => {
    const asked: IncomingHttpHeaders[] = [];
    const source = await sourceAt((request, response) => {
      asked.push(request.headers);
      if (request.url === '/round') response.writeHead(301, { location: '/loop' }).end();
      else response.writeHead(200, { etag: '"1"' }).end(pages[request.url ?? '']);
    });
    return { ...source, asked };
  };

  it('is not entered unless asked for', async () => {
    const { fetch, ask } = await paged();
    expect(await fetch()).not.toHaveProperty('nextCursor');
    expect(await ask({ archive: false })).not.toHaveProperty('nextCursor');
  });

  it('is walked page by page, to its end', async () => {
    const { ask, site } = await paged();
    const first = await ask({ archive: true });
    expect(first).toMatchObject({ posts: [{ externalId: '2' }], nextCursor: site.url('/feed?page=2') });
    const second = await ask({ archive: true, cursor: site.url('/feed?page=2') });
    expect(second).toMatchObject({ posts: [{ externalId: '1' }], nextCursor: site.url('/feed?page=3') });
    const third = await ask({ archive: true, cursor: site.url('/feed?page=3') });
    expect(third).toMatchObject({ posts: [{ externalId: '0' }], nextCursor: undefined });
  });

  it('speaks for its posts alone', async () => {
    const { ask, site, asked } = await paged();
    const page = await ask({ cursor: site.url('/feed?page=2'), validators: { etag: '"1"' }, fields: { n: ['job:n'] } });
    expect(page).toEqual({
      posts: [expect.objectContaining({ externalId: '1', fields: { n: '7' } })],
      unreadable: [{ place: 2, reason: expect.stringContaining('empty') }],
    });
    expect(asked).toEqual([expect.not.objectContaining({ 'if-none-match': '"1"' })]);
  });

  it('does not lead from a page to itself', async () => {
    const { ask, site } = await paged();
    expect(await ask({ archive: true, cursor: site.url('/round') })).toMatchObject({ nextCursor: undefined });
  });

  it('takes the password of its feed along', async () => {
    const { ask, site, asked } = await paged();
    const cursor = site.url('/feed?page=2', 'ann:secret@site.example');
    const first = await ask({ archive: true, externalId: site.url('/feed', 'ann:secret@site.example') });
    expect(first).toMatchObject({ nextCursor: cursor });
    await ask({ archive: true, cursor });
    expect(asked.at(-1)).toMatchObject({ authorization: expect.stringContaining('Basic') });
  });

  it('may have lost a page', async () => {
    const { ask, site } = await answering(404);
    const lost = ask({ archive: true, cursor: site.url('/feed?page=2', 'lost.example') });
    await expect(lost).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

it('fields, unreadable and repeated items are reported for the newest page as well', async () => {
  const job = item('<guid>1</guid><job:n>7</job:n>');
  const { ask } = await answering(200, {}, rssOf('<item/>', job, job));
  expect(await ask({ fields: { n: ['n'] } })).toMatchObject({
    posts: [{ fields: { n: '7' } }],
    unreadable: [{ place: 1 }],
    repeated: [3],
  });
});
