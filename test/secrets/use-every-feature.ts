import { Connection } from 'rabbitmq-client';
import { expect, onTestFinished, vi } from 'vitest';
import type { MarkedWorld } from './marked-world.js';

const WAIT_OPTIONS = { timeout: 60_000, interval: 100 };

// biome-ignore lint/suspicious/noExplicitAny: answers of all kinds
type Json = any;
type Call = (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<Json>;

/** Makes every feature succeed and fail with marked secrets. Returns what callers received about failures. */
export async function useEveryFeature(world: MarkedWorld): Promise<{ problems: string; admin: Call }> {
  const told = { problems: '' };
  const callWith = (key: string): Call => {
    return async (method, path, body, headers = {}) => {
      const json = body && { 'content-type': 'application/json' };
      const answer = await fetch(`${world.address}${path}`, {
        method,
        redirect: 'manual',
        headers: { authorization: `Bearer ${key}`, ...json, ...headers },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (answer.status >= 400) told.problems += text;
      return /json/.test(answer.headers.get('content-type') ?? '') ? JSON.parse(text) : text;
    };
  };
  const admin = callWith(world.adminKey);
  const { id: userId } = await admin('POST', '/api/v1/users', {});
  const { key } = await admin('POST', '/api/v1/keys', { userId });
  const user = callWith(world.secrets.note('user key', key));
  await signIn(world, key);
  await follow(world, user);
  await importFeeds(world, user);
  await publish(world, user);
  await search(world, user);
  await sendBrokenMessage(world, admin);
  await vi.waitFor(() => expect(world.careless.received).toContain('"type":"alert"'), WAIT_OPTIONS);
  return { problems: told.problems, admin };
}

async function signIn({ address, secrets }: MarkedWorld, key: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const session = await fetch(`${address}/api/v1/session`, { method: 'POST', headers, body: JSON.stringify({ key }) });
  const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? '';
  secrets.note('session cookie', cookie.split('=')[1]);
  const signedIn = { headers: { ...headers, cookie } };
  const link = await fetch(`${address}/api/v1/session/links`, { ...signedIn, method: 'POST' });
  const { url } = (await link.json()) as { url: string };
  const token = secrets.note('sign-in link', new URL(url).searchParams.get('token'));
  const made = await fetch(`${address}/api/v1/feed/token`, { ...signedIn, method: 'POST' });
  const feed = (await made.json()) as { token: string; urls: { rss: string } };
  secrets.note('feed token', feed.token);
  // Each works once, and then fails in every way that we know of.
  for (const path of [url, url, feed.urls.rss, `${address}/api/v1/feed.rsss?token=${feed.token}`])
    await fetch(path, { redirect: 'manual' });
  for (const path of [`/nowhere?token=${token}`, `/nowhere/${feed.token}`, `/api/v1/nowhere?key=${key}`])
    await fetch(`${address}${path}`);
  await fetch(`${address}/api/v1/users/me?key=${key}`, { headers: { authorization: `Bearer ${key}x` } });
}

async function follow({ site, hub, careless, address, secrets }: MarkedWorld, user: Call): Promise<void> {
  const userinfo = `reader:${secrets.mark('feed password')}`;
  const query = `?token=${secrets.mark('feed query token')}`;
  const here = (path: string) => site.url(path).replace('//', `//${userinfo}@`) + query;
  site.hubs = [hub.url];
  site.publish(`/pushed${query}`, { guid: 'a', title: 'A' });
  const sources = [
    here('/pushed'),
    careless.url(10, `/403/feed${query}`, userinfo),
    careless.url(11, `/503/${query}`, userinfo),
  ];
  for (const externalId of sources) idOf(await user('POST', '/api/v1/sources/follow', { type: 'rss', externalId }));
  await user('POST', '/api/v1/sources/discover', { url: careless.url(10, `/403/page${query}`, userinfo) });
  const { callback, secret, topic } = await vi.waitFor(() => hub.subscriber(), WAIT_OPTIONS);
  secrets.note('hub secret', secret);
  const token = secrets.note('WebSub callback token', callback.split('/').at(-1));
  await hub.distribute(topic, { body: 'no feed' });
  for (const path of [`/websub/${token}?hub.mode=${token}`, `/websub/${token}/more`, `/websub/x${token}?${token}`])
    await fetch(`${address}${path}`);
  // From now on hubs refuse requests and repeat them.
  site.hubs = [careless.url(12, '/400/hub')];
  site.publish(`/refused${query}`, { guid: 'b', title: 'B' });
  await user('POST', '/api/v1/sources/follow', { type: 'rss', externalId: here('/refused') });
  await vi.waitFor(() => expect(careless.received).toContain('hub.secret'), WAIT_OPTIONS);
  const refused = /hub\.callback=\S*?websub\/([\w-]+)[\s\S]*?hub\.secret=([\w-]+)/.exec(careless.received);
  secrets.note('WebSub callback token of a careless hub', refused?.[1]);
  secrets.note('secret of a careless hub', refused?.[2]);
}

async function importFeeds({ site, careless, secrets }: MarkedWorld, user: Call): Promise<void> {
  const userinfo = `importer:${secrets.mark('import password')}`;
  const query = `?auth=${secrets.mark('import query token')}`;
  const link = `https://importer:${secrets.mark('password in an item')}@site.example/?x=1`;
  site.show(`/archive${query}`, [{ xml: `<item><guid>${link}</guid><title>${link}</title></item>` }]);
  const feeds = [
    careless.url(13, `/404/feed${query}`, userinfo),
    careless.url(14, `/500/feed${query}`, userinfo),
    site.url(`/archive${query}`),
  ];
  const fields = { salary: { from: 'salary', required: true } };
  const id = idOf(await user('POST', '/api/v1/imports/start', { feeds, fields }));
  const ended = async () => expect((await user('GET', `/api/v1/imports/${id}`)).status).toMatch(/completed|failed/);
  await vi.waitFor(ended, WAIT_OPTIONS);
}

async function publish({ mastodon, webhook, careless, secrets }: MarkedWorld, user: Call): Promise<void> {
  const token = secrets.mark('Mastodon token');
  mastodon.tokens.set(token, 'alice');
  webhook.secret = secrets.mark('webhook secret');
  const working = [
    { platform: 'mastodon', credentials: { baseUrl: mastodon.url, accessToken: token } },
    { platform: 'webhook', credentials: { url: `${webhook.url}hook`, secret: webhook.secret } },
  ];
  const path = `/400/${secrets.note('webhook path', `a1Z${'p9'.repeat(15)}`)}`;
  const refused = [
    {
      platform: 'mastodon',
      credentials: { baseUrl: careless.url(20, '/'), accessToken: secrets.mark('refused Mastodon token') },
    },
    {
      platform: 'webhook',
      credentials: { url: careless.url(21, path), secret: secrets.mark('refused webhook secret') },
    },
    {
      platform: 'bluesky',
      credentials: {
        service: careless.url(22, '/'),
        identifier: 'a.example',
        password: secrets.mark('Bluesky password'),
      },
    },
    { platform: 'facebook', credentials: { pageId: '1', accessToken: secrets.mark('Facebook token') } },
    { platform: 'instagram', credentials: { userId: '1', accessToken: secrets.mark('Instagram token') } },
    { platform: 'linkedin', credentials: { author: 'urn:li:person:1', accessToken: secrets.mark('LinkedIn token') } },
    {
      platform: 'youtube',
      credentials: {
        clientId: 'a',
        clientSecret: secrets.mark('YouTube client secret'),
        refreshToken: secrets.mark('YouTube refresh token'),
      },
    },
  ];
  const image = careless.url(
    23,
    `/403/image.jpg?X-Amz-Signature=${secrets.mark('media signature')}`,
    `cdn:${secrets.mark('media password')}`,
  );
  const [text, posts] = ['Hello', [] as string[]];
  for (const account of [...working, ...refused]) {
    const isRefused = refused.includes(account);
    if (isRefused) await user('POST', '/api/v1/accounts', { name: 'refused', ...account });
    const accountId = idOf(await user('POST', '/api/v1/accounts', { name: 'a', check: !isRefused, ...account }));
    const mediaUrls = { instagram: [image], youtube: [image.replace('.jpg', '.mp4')] }[account.platform] ?? [];
    const title = account.platform === 'youtube' ? { title: 'A video' } : {};
    const wanted = { accountId, content: { text, mediaUrls, ...title }, checkMedia: false };
    posts.push(idOf(await user('POST', '/api/v1/publications', wanted)));
    if (account !== working[0]) continue;
    await user('POST', '/api/v1/publications', { accountId, content: { text: 'CachedSnapshot', mediaUrls: [image] } });
    const withImage = { accountId, content: { text: 'CachedSnapshot', mediaUrls: [image] }, checkMedia: false };
    posts.push(idOf(await user('POST', '/api/v1/publications', withImage)));
  }
  const settled = async () => {
    for (const id of posts) {
      const { status, attempts } = await user('GET', `/api/v1/publications/${id}`);
      expect(['published', 'failed', 'unknown'].includes(status) || attempts > 0, `${id} is ${status}`).toBe(true);
    }
  };
  await vi.waitFor(settled, WAIT_OPTIONS);
}

async function search({ careless, secrets }: MarkedWorld, user: Call): Promise<void> {
  const sites = [careless.url(24, `/403/?key=${secrets.mark('token of a searched site')}`)];
  const job = { keywords: ['bread'], industry: 'bakery', geography: 'Bonn', filters: { sites } };
  const source_types = ['google', 'crunchbase', 'web'];
  const id = idOf(await user('POST', '/api/v1/jobs/scrape', { ...job, source_types }));
  const ended = async () =>
    expect((await user('GET', `/api/v1/jobs/scrape/${id}`)).status).toMatch(/completed|failed|partial/);
  await vi.waitFor(ended, WAIT_OPTIONS);
}

/** It becomes a dead letter, whose replay waits in a paused queue, which is an alert as well. */
async function sendBrokenMessage({ rabbitmqUrl, secrets }: MarkedWorld, admin: Call): Promise<void> {
  const secret = secrets.mark('secret of a message');
  const callback = `https://sender:${secret}@sender.example/?token=${secret}`;
  const client = new Connection(rabbitmqUrl);
  onTestFinished(() => client.unsafeDestroy());
  const publisher = client.createPublisher({ confirm: true });
  await publisher.send('scrape_jobs', { job_id: 1, source_types: callback, filters: { callback, apiKey: secret } });
  const letter = await vi.waitFor(async () => {
    const { items } = await admin('GET', '/api/v1/dead-letters?queue=failed_jobs');
    expect(items).toHaveLength(1);
    return items[0];
  }, WAIT_OPTIONS);
  await admin('POST', '/api/v1/queues/failed_jobs/pause');
  await admin('POST', `/api/v1/dead-letters/${letter.id}/replay`);
}

function idOf(answer: Json): string {
  if (!answer.id) throw new Error(`refused: ${JSON.stringify(answer)}`);
  return answer.id;
}
