import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { outgoingClient } from '../../../test/harness/outgoing.js';
import { startSite } from '../../../test/harness/site.js';
import { FakeMastodon } from '../../../test/platforms/fake-mastodon.js';
import { fetcherTools } from '../../../test/platforms/fetcher-tools.js';
import type { HttpClient } from '../../platform/http/http-client.js';
import { mastodon } from './mastodon.js';

const store = testDatabase();

async function newInstance() {
  const instance = await new FakeMastodon().start();
  const tools = fetcherTools(store.database, { mastodonUrl: instance.url });
  const lookUp = (address: string) => mastodon.lookUp?.(new URL(address), tools, new AbortController().signal);
  return { instance, lookUp };
}

describe('an account’s name', () => {
  it.each([
    ['alice@social.example', 'alice@social.example'],
    [' @Alice@Social.Example ', 'alice@social.example'],
    ['alice@social.example:443', 'alice@social.example'],
    ['alice@social.example:8443', 'alice@social.example:8443'],
    ['alice@social.example.', 'alice@social.example'],
    ['alice@bücher.example', 'alice@xn--bcher-kva.example'],
    ['a.l-i_c3@social.example', 'a.l-i_c3@social.example'],
  ])('%o is %o', (given, account) => {
    expect(mastodon.externalId.parse(given)).toBe(account);
  });

  it.each([
    'alice',
    '@alice',
    'alice@',
    '@social.example',
    'a b@social.example',
    'alice@social.example/x',
    'a@b@c',
    '-a@b.example',
    'alice@user:pass@b.example',
    'a/b@c.example',
  ])('is refused: %o', (given) => {
    expect(mastodon.externalId.safeParse(given).success).toBe(false);
  });
});

describe('the address of a profile', () => {
  it.each([
    ['https://social.example/@alice', 'alice@social.example'],
    ['https://Social.Example/@Alice/', 'alice@social.example'],
    ['https://social.example/users/alice', 'alice@social.example'],
    ['https://social.example/web/@alice', 'alice@social.example'],
    ['https://social.example/@alice/112233', 'alice@social.example'],
    ['https://mine.example/@alice@social.example', 'alice@social.example'],
  ])('%s is %s if its instance knows the account', async (address, account) => {
    const { lookUp } = await newInstance();
    expect(await lookUp(address)).toBe(account);
  });

  it.each([
    'https://social.example/@nobody',
    'https://social.example/@alice.rss',
    'https://social.example/users',
    'https://social.example/about',
    'https://social.example/',
  ])('%s is none', async (address) => {
    const { lookUp } = await newInstance();
    expect(await lookUp(address)).toBeUndefined();
  });

  it.each(['https://www.youtube.com/@alice', 'https://medium.com/@alice', 'https://www.tiktok.com/@alice'])(
    '%s is known to be something else, and nobody is asked',
    async (address) => {
      const { instance, lookUp } = await newInstance();
      expect(await lookUp(address)).toBeUndefined();
      expect(instance.paths).toEqual([]);
    },
  );

  it('is none where the site answers everything with a page', async () => {
    const { instance, lookUp } = await newInstance();
    instance.refuses = { status: 200, body: '<html>Welcome</html>' };
    expect(await lookUp('https://blog.example/@alice')).toBeUndefined();
  });

  it('is not waited for long', { timeout: 10_000 }, async () => {
    const silent = await startSite(() => undefined);
    const client = outgoingClient(store.database);
    // Timeouts are divided by 60 to keep the test short.
    const get: HttpClient['get'] = (url, { timeouts, ...options } = {}) =>
      client.get(url, { ...options, ...(timeouts?.total && { timeouts: { total: timeouts.total / 60 } }) });
    const tools = { ...fetcherTools(store.database, { mastodonUrl: silent.url('/') }), http: { get, request: get } };
    const asked = mastodon.lookUp?.(new URL('https://blog.example/@me'), tools, new AbortController().signal);
    await expect(asked).rejects.toMatchObject({ code: 'TIMEOUT' });
  });
});
