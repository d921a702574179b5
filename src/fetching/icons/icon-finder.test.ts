import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { png } from '../../../test/fetching/made-images.js';
import { testDatabase } from '../../../test/harness/database.js';
import { outgoingClient } from '../../../test/harness/outgoing.js';
import { startSite } from '../../../test/harness/site.js';
import { IconFinder } from './icon-finder.js';

type Body = string | Buffer;

const db = testDatabase();
const picture = png(32, 32);
const page = (head: string) => `<!doctype html><html><head>${head}</head><body></body></html>`;

/** What is found on a site with these paths, and the paths that were requested. */
async function search(paths: Record<string, Body | RequestListener>, allowNetworks = ['127.0.0.1']) {
  const requested: string[] = [];
  const site = await startSite((request, response) => {
    const path = request.url ?? '/';
    requested.push(path);
    const answer = paths[path];
    if (typeof answer === 'function') answer(request, response);
    else if (answer === undefined) response.writeHead(404).end('<html>not here</html>');
    else response.writeHead(200, { 'content-type': 'text/plain' }).end(answer);
  });
  const finder = new IconFinder(outgoingClient(db.database, { allowNetworks }));
  const origin = new URL(site.url()).origin;
  const { image, failure } = await finder.find(origin, AbortSignal.timeout(20_000));
  return { mime: image?.mime, bytes: image?.bytes, failure, requested, site };
}

const status =
  (code: number): RequestListener =>
  (_request, response) =>
    response.writeHead(code).end();

describe('the icon of a site', () => {
  it('is the one that its page names, whatever the server calls it', async () => {
    const found = await search({ '/': page('<link rel="icon" href="/a.png">'), '/a.png': picture });
    expect(found).toMatchObject({ mime: 'image/png', bytes: picture, failure: undefined });
    expect(found.requested).toEqual(['/', '/a.png']);
  });

  it('is /favicon.ico of the page, after redirects, if the page names none that can be shown', async () => {
    const found = await search({
      '/': (_request, response) => response.writeHead(301, { location: '/en/' }).end(),
      '/en/': page('<link rel="icon" href="/broken.png"><link rel="icon" href="/missing.png">'),
      '/broken.png': '<html>',
      '/favicon.ico': picture,
    });
    expect(found).toMatchObject({ mime: 'image/png', failure: undefined });
    expect(found.requested).toEqual(['/', '/en/', '/broken.png', '/missing.png', '/favicon.ico']);
  });

  it('may be part of the page', async () => {
    const inline = `data:image/png;base64,${picture.toString('base64')}`;
    expect(await search({ '/': page(`<link rel="icon" href="${inline}">`) })).toMatchObject({ bytes: picture });
    const drawing = 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg"%3E%3C/svg%3E';
    expect(await search({ '/': page(`<link rel="icon" href='${drawing}'>`) })).toMatchObject({ mime: 'image/svg+xml' });
  });

  it('is not known for a site without one, which is no failure', async () => {
    const found = await search({ '/': page('') });
    expect(found).toMatchObject({ mime: undefined, failure: undefined, requested: ['/', '/favicon.ico'] });
  });

  it('is looked for again later if the site was not able to answer', async () => {
    expect(await search({ '/': status(500), '/favicon.ico': status(404) })).toMatchObject({
      mime: undefined,
      failure: expect.stringMatching(/answered 500$/),
    });
    const cut = await search({ '/favicon.ico': (request) => request.socket.destroy() });
    expect(cut).toMatchObject({ mime: undefined, failure: expect.any(String) });
  });

  it('may not be large, and only a few of those that a page names are requested', async () => {
    const many = Array.from({ length: 9 }, (_, at) => `<link rel="icon" href="/${at}.png">`).join('');
    const found = await search({ '/': page(many), '/0.png': Buffer.concat([picture, Buffer.alloc(100_000)]) });
    expect(found).toMatchObject({ mime: undefined, failure: undefined });
    expect(found.requested).toEqual(['/', '/0.png', '/1.png', '/2.png', '/favicon.ico']);
  });

  it('is not requested from addresses that are not public', async () => {
    const inside = await startSite((_request, response) => response.end(picture));
    const found = await search({ '/': page(`<link rel="icon" href="http://127.0.0.2:${inside.port}/a.png">`) });
    expect(found.mime).toBeUndefined();
    expect(inside.connections).toBe(0);
    expect(await search({ '/favicon.ico': picture }, [])).toMatchObject({ mime: undefined, requested: [] });
  });

  it('waits while the site wants no requests', async () => {
    const busy: RequestListener = (_request, response) => response.writeHead(429, { 'retry-after': '3600' }).end();
    await expect(search({ '/': busy })).rejects.toMatchObject({ code: 'HOST_BACKING_OFF', until: expect.any(Date) });
  });
});
