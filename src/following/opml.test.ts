import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../test/harness/api.js';
import { testDatabase } from '../../test/harness/database.js';
import { FollowingModule } from '../following/following.module.js';

const db = testDatabase();
let api: Api;
beforeAll(async () => {
  api = await startApi({ databaseUrl: db.url, modules: [FollowingModule], config: { roles: new Set(['api']) } });
});
afterAll(() => api?.stop());

const OPML = '/api/v1/sources/opml';
const opml = (body: string) => `<?xml version="1.0"?><opml version="2.0"><body>${body}</body></opml>`;
const newKey = async (): Promise<string> => {
  const { id } = (await api.send({ method: 'POST', url: '/api/v1/users', key: api.adminKey, payload: {} })).json();
  const made = { method: 'POST', url: '/api/v1/keys', key: api.adminKey, payload: { userId: id } } as const;
  return (await api.send(made)).json().key;
};
const send = (key: string, payload: string | Buffer | object, type = 'text/x-opml') =>
  api.send({ method: 'POST', url: OPML, key, payload, headers: { 'content-type': type } });
type Source = Record<'id' | 'type' | 'externalId' | 'title' | 'folder', string>;
const byName = (sources: Source[]) => sources.sort((a, b) => (a.externalId > b.externalId ? 1 : -1));
const sourcesOf = async (key: string) => byName((await api.send({ url: '/api/v1/sources', key })).json().items);

describe('OPML in', () => {
  it('follows what it lists, and says what it could not', async () => {
    const key = await newKey();
    const document = opml(`<outline text="News"><outline text="One" xmlUrl="https://example.org/o1"/>
      <outline text="Again" xmlUrl="HTTPS://EXAMPLE.ORG:443/o1"/></outline>
      <outline text="Two" xmlUrl="feed:https://example.org/o2"/>
      <outline text="Inside" xmlUrl="http://10.0.0.1/feed"/><outline text="Odd" xmlUrl="not an address"/>
      <outline text="Anna" type="mastodon" xmlUrl="urn:millrace:source:mastodon:anna%40social.example"/>`);
    const answer = await send(key, document);
    expect(answer.statusCode).toBe(202);
    expect(answer.json()).toMatchObject({
      followed: 3,
      alreadyFollowed: 1,
      failed: [
        { title: 'Inside', xmlUrl: 'http://10.0.0.1/feed', reason: expect.stringContaining('private address') },
        { title: 'Odd', xmlUrl: 'not an address', reason: 'Must be the http or https address of a feed' },
      ],
    });
    expect(await sourcesOf(key)).toMatchObject([
      { type: 'mastodon', externalId: 'anna@social.example', title: 'Anna' },
      { externalId: 'https://example.org/o1', title: 'One', folder: 'News' },
      { externalId: 'https://example.org/o2', title: 'Two', folder: null },
    ]);
    expect(byName(answer.json().items).map(({ id }) => id)).toEqual((await sourcesOf(key)).map(({ id }) => id));
    expect((await send(key, document)).json()).toMatchObject({ followed: 0, alreadyFollowed: 4 });
  });

  it('comes as XML of any charset or within JSON', async () => {
    const latin1 = Buffer.from(
      '<?xml version="1.0" encoding="iso-8859-1"?><opml><body><outline text="Müller" xmlUrl="https://example.org/m"/></body></opml>',
      'latin1',
    );
    for (const type of ['application/xml', 'text/xml', 'text/x-opml; charset=iso-8859-1']) {
      const key = await newKey();
      expect((await send(key, latin1, type)).json()).toMatchObject({ followed: 1 });
      expect(await sourcesOf(key)).toMatchObject([{ title: 'Müller' }]);
    }
    const json = { opml: opml('<outline text="J" xmlUrl="https://example.org/j"/>') };
    expect((await send(await newKey(), json, 'application/json')).json()).toMatchObject({ followed: 1 });
  });

  it('may be as large as five thousand feeds', async () => {
    const outlines = Array.from(
      { length: 5_000 },
      (_, at) => `<outline text="Feed ${at} ${'x'.repeat(200)}" xmlUrl="https://example.org/many/${at}"/>`,
    );
    const answer = await send(await newKey(), opml(outlines.join('\n')));
    expect(answer.json()).toMatchObject({ followed: 5_000, alreadyFollowed: 0, failed: [] });
  });

  it.each([
    ['not XML', 'hello', 'invalid_opml', 422],
    ['HTML', '<html><body/></html>', 'invalid_opml', 422],
    ['too many outlines', opml('<outline/>'.repeat(20_001)), 'invalid_opml', 422],
    ['over 10 MB', opml(`<outline text="${'x'.repeat(10_000_000)}"/>`), 'body_too_large', 413],
  ])('is refused when it is %s', async (_, document, code, status) => {
    const answer = await send(api.adminKey, document);
    expect(answer.statusCode).toBe(status);
    expect(answer.json().code).toBe(code);
  });

  it('is refused as any other type, and without a body', async () => {
    expect((await send(api.adminKey, 'x', 'text/plain')).json().code).toBe('unsupported_media_type');
    expect((await send(api.adminKey, { xml: '' }, 'application/json')).json().code).toBe('validation_failed');
    expect((await api.send({ method: 'POST', url: OPML, key: api.adminKey })).json().code).toBe('validation_failed');
  });

  it('is the only thing that is read as XML', async () => {
    const headers = { 'content-type': 'application/xml' };
    const url = '/api/v1/sources/follow';
    const answer = await api.send({ method: 'POST', url, key: api.adminKey, payload: '<x/>', headers });
    expect(answer.json()).toMatchObject({ status: 415, detail: 'This path does not read XML.' });
  });
});

describe('OPML out', () => {
  it('is a file that another user can bring in, with the same sources, titles and folders', async () => {
    const [ann, bob] = [await newKey(), await newKey()];
    await send(
      ann,
      opml(`<outline text="A"><outline text="B"><outline text="&quot;1&quot; &lt;" xmlUrl="https://example.org/1?a&amp;b"/></outline>
      <outline xmlUrl="https://example.org/2"/></outline><outline text="Me" xmlUrl="urn:millrace:source:mastodon:me%40x.example"/>`),
    );
    const file = await api.send({ url: OPML, key: ann });
    expect(file.headers['content-type']).toBe('text/x-opml; charset=utf-8');
    expect(file.headers['content-disposition']).toBe('attachment; filename="millrace.opml"');
    expect((await send(bob, file.body)).json()).toMatchObject({ followed: 3, failed: [] });
    const essence = async (key: string) =>
      (await sourcesOf(key)).map(({ type, externalId, title, folder }) => ({ type, externalId, title, folder }));
    expect(await essence(bob)).toEqual(await essence(ann));
    expect(await essence(ann)).toHaveLength(3);
  });

  it('is a document without outlines for a user who follows nothing', async () => {
    const key = await newKey();
    const file = await api.send({ url: OPML, key });
    expect((await send(key, file.body)).json()).toMatchObject({ followed: 0, alreadyFollowed: 0, failed: [] });
  });
});
