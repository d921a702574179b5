import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../test/harness/database.js';
import { startReader } from '../../test/harness/reader.js';
import { ImportsModule } from './imports.module.js';
import { JOB_FIELDS } from './items/job-fields.js';

const db = testDatabase();
let users = 0;

/** Starts imports without processing them. */
async function start() {
  const reader = await startReader(db.url, { roles: new Set(['api']) }, [ImportsModule]);
  const name = `user-${++users}`;
  const ann = reader.as(name);
  const post = (body: object, query = '') =>
    ann.send('POST', `/imports/start${query}`, body as Record<string, unknown>);
  const feedsOf = async (id: string, query = '') => (await ann.send('GET', `/imports/${id}/feeds${query}`)).body.items;
  const postXml = async (payload: string, query = '') => {
    const headers = { 'content-type': 'text/x-opml', 'x-millrace-user': name };
    const url = `/api/v1/imports/start${query}`;
    const answer = await reader.send({ method: 'POST', url, key: reader.config.adminKey ?? '', headers, payload });
    return { status: answer.statusCode, body: answer.json() };
  };
  return { ...reader, ann, post, postXml, feedsOf };
}

const addresses = (n: number) => Array.from({ length: n }, (_, at) => `https://example.org/feeds/${at}.xml`);
const NO_ADDRESS = 'Must be the http or https address of a feed';
const opml = (outlines: string) => `<?xml version="1.0"?><opml version="2.0"><body>${outlines}</body></opml>`;

describe('an import', () => {
  it('is stored with its feeds and answered at once', async () => {
    const { ann, post, feedsOf } = await start();
    const { status, body } = await post({ feeds: addresses(2), follow: true });
    expect(status).toBe(202);
    expect(body).toMatchObject({
      status: 'running',
      feeds: { total: 2, done: 0, failed: 0 },
      duplicateFeeds: 0,
      rerunOf: null,
      items: { found: 0, new: 0, updated: 0, unchanged: 0, failed: 0 },
      startedAt: expect.any(String),
      completedAt: null,
      options: { follow: true, full: false, fields: null },
    });
    expect((await ann.send('GET', `/imports/${body.id}`)).body).toEqual(body);
    expect(await feedsOf(body.id)).toMatchObject([
      { url: 'https://example.org/feeds/0.xml', status: 'queued', sourceId: null, error: null, items: { found: 0 } },
      { url: 'https://example.org/feeds/1.xml', status: 'queued', startedAt: null, completedAt: null },
    ]);
  });

  it('takes a feed once, however often and however spelled it is named', async () => {
    const { post, feedsOf } = await start();
    const feeds = [
      'https://example.org/a',
      'HTTPS://EXAMPLE.ORG:443/a',
      ' https://example.org/a ',
      'feed:https://example.org/a',
    ];
    const { body } = await post({ feeds: [...feeds, 'not one', 'not one'] });
    expect(body).toMatchObject({ feeds: { total: 2, failed: 1 }, duplicateFeeds: 4 });
    expect(await feedsOf(body.id)).toMatchObject([{ url: 'https://example.org/a' }, { url: 'not one' }]);
  });

  it('keeps addresses that cannot be imported as failed feeds with the reason, beside those that can', async () => {
    const { post, feedsOf } = await start();
    const bad = [
      'not an address',
      'ftp://example.org/feed',
      'http://10.0.0.1/feed',
      'urn:millrace:source:myspace:tom',
      '',
      `https://example.org/${'x'.repeat(3_000)}`,
      'https://example.org/\0',
    ];
    const { status, body } = await post({ feeds: [...bad, 'https://example.org/good'] });
    expect([status, body.feeds]).toEqual([202, { total: 8, done: 0, failed: 7 }]);
    const failed = await feedsOf(body.id, '?status=failed');
    expect(failed.map(({ error }: { error: string }) => error)).toEqual([
      NO_ADDRESS,
      NO_ADDRESS,
      expect.stringContaining('10.0.0.1'),
      expect.stringContaining('type: one of'),
      'empty',
      'longer than 2000 characters',
      expect.stringContaining('NUL'),
    ]);
    expect(failed[0]).toMatchObject({ completedAt: expect.any(String) });
  });

  it('is refused if nothing of it can be imported, and each address is named', async () => {
    const { ann, post } = await start();
    const { status, body } = await post({
      feeds: ['http://10.0.0.1/', ...Array.from({ length: 150 }, (_, at) => `no ${at}`)],
    });
    expect([status, body.code, body.errors.length]).toEqual([400, 'validation_failed', 100]);
    expect(body.errors.slice(0, 2)).toEqual([
      { path: 'feeds.0', message: expect.stringContaining('private') },
      { path: 'feeds.1', message: NO_ADDRESS },
    ]);
    expect((await ann.send('GET', '/imports')).body.items).toEqual([]);
  });

  it.each<[string, unknown, string, string?]>([
    ['no body', undefined, ''],
    ['neither feeds nor OPML', {}, ''],
    ['both', { feeds: ['https://example.org/a'], opml: '<opml/>' }, ''],
    ['a list', ['https://example.org/a'], ''],
    ['no feeds', { feeds: [] }, 'feeds'],
    ['feeds that are none', { feeds: 'https://example.org/a' }, 'feeds'],
    ['an entry that is no text', { feeds: ['https://example.org/a', 'b', 'c', 3] }, 'feeds.3'],
    ['too many feeds', { feeds: Array(200_001).fill('a') }, 'feeds'],
    ['an unknown option', { feeds: ['https://example.org/a'], folow: true }, 'folow'],
    ['an option of the wrong type', { feeds: ['https://example.org/a'], follow: 'yes' }, 'follow'],
    ['an unknown preset', { feeds: ['https://example.org/a'], fields: 'cars' }, 'fields', '"jobs", or names'],
    ['a path that is none', { feeds: ['https://example.org/a'], fields: { company: 'a b' } }, 'fields.company'],
    [
      'a name that is none',
      { feeds: ['https://example.org/a'], fields: { 'a=b': 'a' } },
      'fields.a=b',
      'a name begins',
    ],
  ])('is refused with %s', async (_, body, path, why = '') => {
    const { post } = await start();
    const answer = await post(body as object);
    expect([answer.status, answer.body.code, answer.body.errors[0].path]).toEqual([400, 'validation_failed', path]);
    expect(answer.body.errors[0].message).toContain(why);
  });

  it('comes as OPML, within JSON or by itself with its options in the query', async () => {
    const { post, postXml, feedsOf } = await start();
    const document = opml(`<outline text="News"><outline text="One" xmlUrl="https://example.org/o1"/></outline>
      <outline xmlUrl="https://example.org/o2"/><outline xmlUrl="https://example.org/o2"/><outline xmlUrl="nothing"/>`);
    for (const { status, body } of [
      await post({ opml: document, full: true }),
      await postXml(document, '?full=true'),
    ]) {
      expect([status, body.feeds, body.duplicateFeeds]).toEqual([202, { total: 3, done: 0, failed: 1 }, 1]);
      expect(body.options).toMatchObject({ follow: false, full: true });
      expect((await feedsOf(body.id)).map(({ url }: { url: string }) => url)).toEqual([
        'https://example.org/o1',
        'https://example.org/o2',
        'nothing',
      ]);
    }
    const { body } = await postXml(document, '?follow=true&fields=jobs');
    expect(body.options).toEqual({ follow: true, full: false, fields: JOB_FIELDS });
    expect((await postXml(document, '?follow=perhaps')).body.errors).toMatchObject([{ path: 'follow' }]);
    expect((await postXml(document, '?folow=true')).body.errors).toMatchObject([{ path: 'folow' }]);
    expect((await post({ opml: document, full: true }, '?full=false')).body.errors).toMatchObject([{ path: 'full' }]);
  });

  it.each([
    ['not XML', 'hello'],
    ['HTML', '<html><body/></html>'],
    ['cut off', '<opml version="2.0"><body><outline xmlUrl="https://exa'],
    ['without feeds', opml('<outline text="Folder"/>')],
    ['without anything', opml('')],
    ['too long', opml('<outline/>'.repeat(250_001))],
  ])('is refused with OPML that is %s', async (_, document) => {
    const { ann, postXml } = await start();
    expect(await postXml(document)).toMatchObject({ status: 422, body: { code: 'invalid_opml' } });
    expect((await ann.send('GET', '/imports')).body.items).toEqual([]);
  });

  it('may have its items read for fields of its own, or for those of job feeds', async () => {
    const { post } = await start();
    const fields = {
      company: 'job:company',
      location: ['job:location', 'city'],
      pay: { from: 'salary', required: true },
    };
    expect((await post({ feeds: addresses(1), fields })).body.options.fields).toEqual({
      company: { from: ['job:company'], required: false },
      location: { from: ['job:location', 'city'], required: false },
      pay: { from: ['salary'], required: true },
    });
    expect((await post({ feeds: addresses(1), fields: 'jobs' })).body.options.fields).toEqual(JOB_FIELDS);
    expect((await post({ feeds: addresses(1), fields: {} })).body.options.fields).toBeNull();
  });

  it('may be as long as 20,000 feeds in a body of more than a megabyte', async () => {
    const { post, ann, feedsOf } = await start();
    const feeds = addresses(20_000).map((url) => `${url}?${'x'.repeat(100)}`);
    const { status, body } = await post({ feeds: [...feeds, ...feeds.slice(0, 5)] });
    expect([status, body.feeds.total, body.duplicateFeeds]).toEqual([202, 20_000, 5]);
    const first = (await ann.send('GET', `/imports/${body.id}/feeds?limit=100`)).body;
    const second = await feedsOf(body.id, `?limit=100&cursor=${first.nextCursor}`);
    expect([...first.items, ...second].map(({ url }: { url: string }) => url)).toEqual(feeds.slice(0, 200));
  });
});

describe('an import that is begun again', () => {
  it('has the same feeds and options, or those feeds only that failed', async () => {
    const { ann, post, feedsOf } = await start();
    const { body: first } = await post({
      feeds: [...addresses(2), 'nothing'],
      follow: true,
      full: true,
      fields: 'jobs',
    });
    await ann.send('POST', `/imports/${first.id}/cancel`);
    const again = await ann.send('POST', `/imports/${first.id}/rerun`);
    expect(again).toMatchObject({
      status: 202,
      body: { status: 'running', rerunOf: first.id, options: first.options, feeds: { total: 3, done: 0, failed: 1 } },
    });
    expect((await feedsOf(again.body.id)).map(({ url }: { url: string }) => url)).toEqual([...addresses(2), 'nothing']);
    const failed = await ann.send('POST', `/imports/${first.id}/rerun`, { only: 'failed' });
    expect(failed.body.errors).toMatchObject([{ path: 'feeds.0', message: NO_ADDRESS }]);
  });

  it('is refused while it runs, and where there is nothing to repeat', async () => {
    const { ann, post } = await start();
    const { id } = (await post({ feeds: addresses(1) })).body;
    const rerun = (body?: Record<string, unknown>) => ann.send('POST', `/imports/${id}/rerun`, body);
    expect(await rerun()).toMatchObject({ status: 409, body: { detail: expect.stringContaining('still runs') } });
    await ann.send('POST', `/imports/${id}/cancel`);
    expect(await rerun({ only: 'failed' })).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(await rerun({ only: 'new' })).toMatchObject({ status: 400, body: { errors: [{ path: 'only' }] } });
  });
});
