import { expect, it, onTestFinished } from 'vitest';
import type { ProfilePage } from './instagram-site.js';
import { startFakeInstagram } from './start-fake-instagram.js';

const START = Date.parse('2026-01-31T12:00:00Z');
const MINUTE_MS = 60_000;

async function instagram(seed = 1) {
  let now = START;
  const site = await startFakeInstagram({ seed, now: () => new Date(now) });
  onTestFinished(() => site.stop());
  const ask = (path: string) => fetch(site.url + path);
  return {
    site,
    ask,
    pass: (minutes: number) => {
      now += minutes * MINUTE_MS;
    },
    page: async (username: string, query = '') =>
      (await (await ask(`/users/${username}/posts?${query}`)).json()) as ProfilePage,
    status: async (username: string) => (await ask(`/users/${username}/posts`)).status,
  };
}

const withoutAddress = ({ posts }: ProfilePage) =>
  posts.map(({ id, caption, takenAt, likes }) => ({ id, caption, takenAt, likes }));

it('shows the same for the same seed, and other things for another', async () => {
  const [first, same, other] = [await instagram(), await instagram(), await instagram(2)];
  const page = withoutAddress(await first.page('nora.bakes'));
  expect(page).toHaveLength(12);
  expect(withoutAddress(await same.page('nora.bakes'))).toEqual(page);
  expect(withoutAddress(await other.page('nora.bakes'))).not.toEqual(page);
});

it('goes on posting, and posts are liked more and more', async () => {
  const { page, pass } = await instagram();
  const [before] = (await page('nora.bakes')).posts;
  pass(10);
  const { posts } = await page('nora.bakes', 'count=50');
  const again = posts.findIndex(({ id }) => id === before?.id);
  expect(again).toBeGreaterThan(5);
  expect(posts[again]?.likes).toBeGreaterThan(before?.likes ?? 0);
});

it('leads from page to page down to the first post, also while new ones appear', async () => {
  const { page, pass } = await instagram();
  const seen: string[] = [];
  for (let next: string | null = ''; next !== null; pass(2)) {
    const { posts, next: further }: ProfilePage = await page('ellery.ferries', `before=${next}`);
    seen.push(...posts.map(({ id }) => id));
    next = further;
  }
  expect(seen).toEqual(Array.from({ length: 40 }, (_, at) => `ellery.ferries-${40 - at}`));
});

it('has a picture and a page for each post', async () => {
  const { page, ask } = await instagram();
  const { user, posts } = await page('night.sky.kell', 'count=1');
  for (const address of [user.avatarUrl, posts[0]?.imageUrl ?? '']) {
    const picture = await fetch(address);
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(
      Buffer.from(await picture.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
  }
  expect(await (await fetch(posts[0]?.url ?? '')).text()).toContain('Night Sky over Kell');
  for (const path of [
    '/p/night.sky.kell/100000',
    '/p/night.sky.kell/x',
    '/pictures/nora.bakes/x',
    '/',
    '/users/nora.bakes',
  ])
    expect((await ask(path)).status, path).toBe(404);
});

it('has profiles that are private, that disappear, and about which it wants to be left alone now and then', async () => {
  const { site, status, ask, pass } = await instagram();
  const named = (temper: string) => site.profiles.find((profile) => profile.temper === temper)?.username ?? '';
  const statuses = () => Promise.all(['private', 'vanishes', 'busy'].map((temper) => status(named(temper))));
  expect(await statuses()).toEqual([403, 200, 200]);
  pass(2);
  expect(await statuses()).toEqual([403, 200, 429]);
  expect((await ask(`/users/${named('busy')}/posts`)).headers.get('retry-after')).toBe('60');
  pass(4);
  expect(await statuses()).toEqual([403, 404, 200]);
  expect(await status('nobody')).toBe(404);
});
