import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../test/feeds/eventually.js';
import { Reader, startFeeds } from '../../test/feeds/reading.js';
import type { Api } from '../../test/harness/api.js';
import { testDatabase } from '../../test/harness/database.js';
import { foundPost, postsOn } from '../../test/posts/made-posts.js';

const given = testDatabase();
let made: ReturnType<typeof postsOn>;
let api: Api;
beforeAll(async () => {
  made = postsOn(given.database);
  api = await startFeeds(given.url, { publicUrl: 'https://reader.example/sub/' });
});
afterAll(async () => {
  await api.stop();
  await made.sanitiser.onApplicationShutdown();
});

/** Characters that XML cannot represent, and the end of a CDATA section. */
const NASTY = 'a \u0001\u000b\ufffe ]]> <![CDATA[ & < > " \' &amp; &apos; \u{1F600} z';

async function readerWithToken() {
  const reader = new Reader(api);
  const source = await reader.follow();
  await made.save(source, [
    foundPost('plain', {
      title: 'Plain',
      url: 'https://example.org/?a=1&b="2"',
      content: '<p>Hello <b>you</b></p>',
      publishedAt: new Date('2026-01-01T00:00:00Z'),
    }),
    foundPost('nasty', {
      title: NASTY,
      content: `<p>${NASTY}</p>`,
      author: { username: 'u', displayName: NASTY },
      publishedAt: new Date('2026-01-02T00:00:00Z'),
    }),
    foundPost('bare', { content: '', publishedAt: new Date('2026-01-03T00:00:00Z') }),
  ]);
  const answer = await reader.send('POST', '/feed/token');
  expect(answer.statusCode).toBe(201);
  const { token, urls } = answer.json() as { token: string; urls: Record<Format, string> };
  return { reader, source, token, urls };
}

type Format = 'rss' | 'atom' | 'json';
const get = (format: Format, token: string, headers = {}) =>
  api.send({ url: `/api/v1/feed.${format}?token=${token}`, headers });

/** Parses the items of a document with feedsmith. */
function itemsIn(format: Format, body: string) {
  if (format === 'rss')
    return parseRssFeed(body).items?.map(({ guid, title, link, description, pubDate }) => ({
      id: guid?.value,
      title,
      url: link,
      content: description ?? '',
      at: new Date(pubDate ?? '').getTime(),
    }));
  if (format === 'atom')
    return parseAtomFeed(body).entries?.map(({ id, title, links, content, published }) => ({
      id,
      title: title?.value,
      url: links?.[0]?.href,
      content: content?.value ?? '',
      at: new Date(published ?? '').getTime(),
    }));
  return parseJsonFeed(body).items?.map(({ id, title, url, content_html, date_published }) => ({
    id,
    title,
    url,
    content: content_html ?? '',
    at: new Date(date_published ?? '').getTime(),
  }));
}

function attachmentsIn(format: Format, body: string) {
  if (format === 'rss')
    return parseRssFeed(body).items?.flatMap(
      ({ enclosures }) => enclosures?.map(({ url, type }) => ({ url, type })) ?? [],
    );
  if (format === 'atom')
    return parseAtomFeed(body)
      .entries?.flatMap(({ links }) => links?.filter(({ rel }) => rel === 'enclosure') ?? [])
      .map(({ href, type }) => ({ url: href, type }));
  return parseJsonFeed(body)
    .items?.flatMap(({ attachments }) => attachments ?? [])
    .map(({ url, mime_type }) => ({ url, type: mime_type }));
}

describe.each(['rss', 'atom', 'json'] as const)('a timeline as %s', (format) => {
  it('returns its items unchanged to a feed reader, whatever they contain', async () => {
    const { reader, token } = await readerWithToken();
    const answer = await get(format, token);
    expect(answer.statusCode).toBe(200);
    const items = itemsIn(format, answer.body) ?? [];
    const shown = (await reader.page()).items;
    expect(items.map(({ id }) => id)).toEqual(shown.map(({ id }) => `urn:millrace:post:${id}`));
    expect(items.map(({ at }) => at)).toEqual(shown.map(({ publishedAt }) => Date.parse(publishedAt)));
    const [, nasty, plain] = items;
    expect(plain).toMatchObject({ title: 'Plain', url: 'https://example.org/?a=1&b="2"' });
    expect(plain?.content).toBe(shown[2]?.content);
    expect(nasty?.title).toContain('\u{1F600} z');
    expect(nasty?.content).toContain('\u{1F600} z</p>');
  });

  it('brings along what its posts bring along', async () => {
    const { source, token } = await readerWithToken();
    const media = [
      { url: 'https://example.org/talk.MP3?a=1&b=2', type: 'audio/mpeg' },
      { url: 'https://example.org/unknown' },
    ];
    await made.save(source, [foundPost('podcast', { media })]);
    await eventually(async () =>
      expect(attachmentsIn(format, (await get(format, token)).body)).toEqual([
        { url: 'https://example.org/talk.MP3?a=1&b=2', type: 'audio/mpeg' },
        { url: 'https://example.org/unknown', type: 'application/octet-stream' },
      ]),
    );
  });

  it('is not sent again to a client that has it', async () => {
    const { source, token } = await readerWithToken();
    const first = await get(format, token);
    expect(first.headers['cache-control']).toBe('private, max-age=60');
    const etag = first.headers.etag as string;
    const again = await get(format, token, { 'if-none-match': `"other", W/${etag}` });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    await made.save(source, [foundPost('new')]);
    await eventually(async () => expect((await get(format, token, { 'if-none-match': etag })).statusCode).toBe(200));
  });

  it('is for those who know its address only', async () => {
    const { reader, token } = await readerWithToken();
    const refused = await get(format, 'x'.repeat(43));
    expect([refused.statusCode, refused.json().code]).toEqual([401, 'invalid_key']);
    expect((await api.send({ url: `/api/v1/feed.${format}` })).statusCode).toBe(400);
    const replaced = (await reader.send('POST', '/feed/token')).json().token;
    expect((await get(format, token)).statusCode).toBe(401);
    expect((await get(format, replaced)).statusCode).toBe(200);
    expect((await reader.send('DELETE', '/feed/token')).statusCode).toBe(204);
    expect((await get(format, replaced)).statusCode).toBe(401);
  });

  it('has an address that works and does not say its token', async () => {
    const { token, urls } = await readerWithToken();
    expect(urls[format]).toBe(`https://reader.example/sub/api/v1/feed.${format}?token=${token}`);
    expect((await get(format, token)).body).not.toContain(token);
  });
});

describe('a timeline as a feed', () => {
  it('is XML that a strict reader accepts', async () => {
    const { token } = await readerWithToken();
    for (const format of ['rss', 'atom'] as const) {
      const { body } = await get(format, token);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
      expect(body).not.toMatch(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/);
      const sections = body.split('<![CDATA[').slice(1);
      expect(body.split(']]>').length - 1).toBe(sections.filter((text) => text.includes(']]>')).length);
    }
  });

  it('counts its reader as seen', async () => {
    const { reader, token } = await readerWithToken();
    api.clock.advance(10 * 60_000);
    await get('rss', token);
    const { pool } = given.database;
    await eventually(async () => {
      const { rows } = await pool.query('SELECT last_seen_at AS at FROM users WHERE external_id = $1', [reader.name]);
      expect(rows[0].at).toEqual(api.clock.now());
    });
  });

  it('does not open a timeline any more once the key is revoked that made its token', async () => {
    const { id: userId } = (
      await api.send({ method: 'POST', url: '/api/v1/users', payload: {}, key: api.adminKey })
    ).json();
    const newKey = { method: 'POST', url: '/api/v1/keys', payload: { userId }, key: api.adminKey } as const;
    const [kept, revoked] = [(await api.send(newKey)).json(), (await api.send(newKey)).json()];
    const { token } = (await api.send({ method: 'POST', url: '/api/v1/feed/token', key: revoked.key })).json();
    expect((await get('rss', token)).statusCode).toBe(200);
    await api.send({ method: 'DELETE', url: `/api/v1/keys/${revoked.id}`, key: kept.key });
    expect((await get('rss', token)).json().code).toBe('invalid_key');
  });

  it('keeps one token when two are made at the same time', async () => {
    const { reader } = await readerWithToken();
    const made = await Promise.all([reader.send('POST', '/feed/token'), reader.send('POST', '/feed/token')]);
    const statuses = await Promise.all(made.map(async (one) => (await get('rss', one.json().token)).statusCode));
    expect(statuses.toSorted()).toEqual([200, 401]);
  });

  it('counts among the requests of its reader', async () => {
    const own = await startFeeds(given.url, { requestsPerMinute: 5 });
    try {
      const { token } = (await new Reader(api).send('POST', '/feed/token')).json();
      const statuses: number[] = [];
      for (let time = 0; time < 6; time++)
        statuses.push((await own.send({ url: `/api/v1/feed.rss?token=${token}` })).statusCode);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    } finally {
      await own.stop();
    }
  });

  it('turns away an address that tries token after token', async () => {
    const statuses: number[] = [];
    for (let time = 0; time < 70; time++) {
      const { statusCode } = await api.send({ url: `/api/v1/feed.rss?token=same${time}`, remoteAddress: '192.0.2.7' });
      statuses.push(statusCode);
    }
    expect(statuses.at(-1)).toBe(429);
  });
});
