import type { RequestListener } from 'node:http';
import { expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { outgoingClient } from '../../../test/harness/outgoing.js';
import { startSite } from '../../../test/harness/site.js';
import { startMastodon, startPublishing, startWebhook } from '../../../test/publishing/publisher.js';
import { checkMedia } from './check-media.js';

const db = testDatabase();
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const MAX_BYTES = 1_000_000;

/** Checks one file of a site. */
async function look(listener: RequestListener) {
  const url = (await startSite(listener)).url('/file');
  const http = outgoingClient(db.database);
  return (await checkMedia([url], { http, mostBytes: MAX_BYTES })).get(url);
}

it('finds what is there and what it is', async () => {
  const headers = { 'content-type': 'image/png', 'content-length': PNG.length };
  expect(await look((_, response) => response.writeHead(200, headers).end())).toEqual({ type: 'image/png' });
});

it('asks for the first bytes where a server knows no HEAD or tells nothing', async () => {
  const first = ({ method, headers }: { method?: string; headers: { range?: string } }) =>
    method === 'GET' && headers.range === 'bytes=0-63';
  const range = { 'content-range': `bytes 0-15/${MAX_BYTES}` };
  const byBytes: RequestListener = (request, response) => {
    if (first(request as never)) response.writeHead(206, range).end(PNG);
    else response.writeHead(405).end();
  };
  expect(await look(byBytes)).toEqual({ type: 'image/png' });
  const ignoring: RequestListener = ({ method }, response) => {
    response.writeHead(200, { 'transfer-encoding': 'chunked' });
    response.end(method === 'GET' ? Buffer.alloc(200_000) : undefined);
  };
  expect(await look(ignoring)).toEqual({});
});

it('says why a file cannot be had', async () => {
  const size = (bytes: number) => ({ 'content-type': 'image/png', 'content-length': bytes });
  expect((await look((_, response) => response.writeHead(404).end()))?.problem).toBe('its server answers 404');
  expect((await look((_, response) => response.writeHead(403).end()))?.problem).toBe('its server answers 403');
  const large = await look((_, response) => response.writeHead(200, size(MAX_BYTES + 24)).end());
  expect(large?.problem).toBe('it is 1000024 bytes, 24 more than can be sent on');
  const ranged: RequestListener = ({ method }, response) => {
    if (method === 'HEAD') response.writeHead(405).end();
    else response.writeHead(206, { 'content-range': 'bytes 0-15/5000000' }).end(PNG);
  };
  expect((await look(ranged))?.problem).toContain('4000000 more');
  expect((await look((_, response) => response.writeHead(200, size(0)).end()))?.problem).toBe('it is empty');
  expect((await look((request) => request.socket.destroy()))?.problem).toMatch(/./);
});

it('refuses publications with files that are missing, of a wrong kind, or where nobody may look', async () => {
  const { given } = await startMastodon();
  const anna = (await startPublishing(db.url)).as('anna');
  const { id: accountId } = await anna.account(given);
  const site = await startSite(({ url }, response) => {
    if (url === '/page') response.writeHead(200, { 'content-type': 'text/html', 'content-length': 9 }).end();
    else if (url === '/in') response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
    else response.writeHead(404).end();
  });
  const mediaUrls = ['/gone.png', '/page', '/in'].map((path) => site.url(path, '127.0.0.1'));
  const post = (content: object, more = {}) => anna.send('POST', '/publications', { accountId, content, ...more });
  const { status, body } = await post({ text: 'See', mediaUrls });
  expect([status, body.code]).toEqual([422, 'content_refused']);
  expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(
    mediaUrls.map((_, at) => `content.mediaUrls.${at}`),
  );
  const [gone, page, hidden] = body.errors.map(({ message }: { message: string }) => message);
  expect(gone).toContain('404');
  expect(page).toBe('it is text/html, and Mastodon takes image, video, audio');
  expect(hidden).toMatch(/169\.254\.169\.254/);
  const scheduledAt = '2990-01-01T00:00:00Z';
  expect((await post({ text: 'See', mediaUrls }, { checkMedia: false, scheduledAt })).status).toBe(202);
  const private_ = { text: 'See', mediaUrls: ['http://192.168.0.1/a.png'] };
  const refused = await post(private_, { checkMedia: false, scheduledAt });
  expect(refused.body.errors).toMatchObject([{ path: 'content.mediaUrls.0' }]);
});

it('lets any file through to a platform that takes any', async () => {
  const { given, fake } = await startWebhook();
  const anna = (await startPublishing(db.url)).as('anna');
  const { id: accountId } = await anna.account(given);
  const headers = { 'content-type': 'text/html', 'content-length': 9 };
  const site = await startSite((_, response) => response.writeHead(200, headers).end());
  const { id } = await anna.publish({ accountId, content: { mediaUrls: [site.url('/page', '127.0.0.1')] } });
  await anna.when(id, 'published');
  expect(fake.posts).toHaveLength(1);
});
