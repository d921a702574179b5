import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { outgoingClient } from '../../../test/harness/outgoing.js';
import { startSite } from '../../../test/harness/site.js';
import { FakeMastodon } from '../../../test/platforms/fake-mastodon.js';
import { asking, fetcherTools } from '../../../test/platforms/fetcher-tools.js';
import type { HttpClient } from '../../platform/http/http-client.js';
import { mastodon } from './mastodon.js';

const store = testDatabase();

describe('an account whose domain is only its name', () => {
  const SERVED = 'https://social.example.org';
  const LINKS = [
    { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: 'https://example.org/about' },
    { rel: 'self', type: 'application/activity+json', href: `${SERVED}/users/alice` },
  ];

  /** `example.org` serves only WebFinger, which names the instance. */
  async function newDomain(links: unknown = LINKS) {
    const instance = await new FakeMastodon().start();
    const domain = await startSite((request, response) => {
      const isAsked = request.url === '/.well-known/webfinger?resource=acct%3Aalice%40example.org';
      response.writeHead(isAsked ? 200 : 404).end(JSON.stringify({ subject: 'acct:alice@example.org', links }));
    });
    const client = outgoingClient(store.database);
    const here = (url: string) =>
      url.replace('https://example.org/', domain.url('/')).replace(`${SERVED}/`, instance.url);
    const get: HttpClient['get'] = (url, options) => client.get(here(url), options);
    const tools = { ...fetcherTools(store.database), http: { get, request: get } };
    const { signal } = new AbortController();
    const lookUp = () => mastodon.lookUp?.(new URL('https://example.org/@alice'), tools, signal);
    return { instance, lookUp, ...asking(mastodon, 'alice@example.org', tools) };
  }

  it('is found on the host that serves it', async () => {
    const { lookUp } = await newDomain();
    expect(await lookUp()).toBe('alice@social.example.org');
  });

  it('is read there, and goes by that name from then on', async () => {
    const { instance, ask } = await newDomain();
    instance.post();
    expect(await ask()).toMatchObject({ posts: [{}], movedTo: 'alice@social.example.org' });
  });

  it.each([
    ['nobody', []],
    ['itself', [{ rel: 'self', type: 'application/activity+json', href: 'https://example.org/users/alice' }]],
    ['no address', [{ rel: 'self', type: 'application/activity+json', href: 'acct:alice' }]],
    ['nonsense', 'x'],
  ])('is not found where WebFinger names %s', async (_, links) => {
    const { lookUp, ask } = await newDomain(links);
    expect(await lookUp()).toBeUndefined();
    await expect(ask()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
