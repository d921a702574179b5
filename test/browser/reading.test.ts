import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FeedSite } from '../harness/feed-site.js';
import { HOSTILE_HTML } from '../hostile-html.js';
import { pageServer } from './page-server.js';
import { browser, signIn, type Visit } from './visitor.js';

const chrome = browser();
const millrace = pageServer();
let site: FeedSite;
beforeAll(async () => {
  site = await FeedSite.open();
});
afterAll(() => site.stop());

const post = (guid: string, more: { content?: string; minutesAgo?: number } = {}) => ({
  guid,
  title: `Post ${guid}`,
  content: more.content ?? `<p>What happened at ${guid}.</p>`,
  publishedAt: new Date(Date.now() - (more.minutesAgo ?? 0) * 60_000),
});

/** A reader of their own, who follows a feed of the site. */
async function newReader(feed: string, visit?: Visit): Promise<Page> {
  const { key } = await millrace.api<{ key: string }>('/keys', { userId: await newUser() });
  const page = await chrome.visit(millrace.address, visit);
  await signIn(page, key);
  await page.evaluate(
    (url) =>
      fetch('/api/v1/sources/follow', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ url }),
      }),
    site.url(feed),
  );
  await page.reload();
  return page;
}

let users = 0;
async function newUser(): Promise<string> {
  users += 1;
  return (await millrace.api<{ id: string }>('/users', { externalId: `reader-${users}` })).id;
}

/** A source that was asked just now is not asked again at once. */
async function refreshUntil(page: Page, shown: Locator): Promise<void> {
  const refresh = async () => {
    await page.keyboard.press('r');
    return shown.count();
  };
  await expect.poll(refresh, { timeout: 15_000, interval: 1_100 }).toBe(1);
}

const row = (page: Page, title: string) =>
  page.getByRole('region', { name: 'Posts' }).getByRole('link', { name: title });
const opened = (page: Page, title: string) => page.getByRole('heading', { level: 2, name: title });

describe('somebody who follows', () => {
  it("pastes a page's address, sees its posts, and new ones as they come, without a reload", async () => {
    site.on('/blog', (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<title>A blog</title><link rel="alternate" type="application/rss+xml" href="/blog.xml">'),
    );
    site.publish('/blog.xml', post('first', { minutesAgo: 5 }));
    const { key } = await millrace.api<{ key: string }>('/keys', { userId: await newUser() });
    const page = await chrome.visit(millrace.address);
    await signIn(page, key);
    await page.getByRole('link', { name: 'Follow a source' }).click();
    await page.getByRole('textbox', { name: 'URL to follow' }).fill(site.url('/blog'));
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await page.getByRole('link', { name: '/blog.xml' }).first().waitFor();

    await page.keyboard.press('Escape');
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Feed' }).click();
    await row(page, 'Post first').waitFor();
    site.publish('/blog.xml', post('second'));
    await refreshUntil(page, row(page, 'Post second'));
  });
});

describe('somebody who reads', () => {
  const posts = Array.from({ length: 120 }, (_, n) => post(`n${n}`, { minutesAgo: 200 - n }));

  it('goes through posts with the keyboard, marks and stars them, and finds it all as it was', async () => {
    site.window = 200;
    site.publish('/keys.xml', ...posts);
    const page = await newReader('/keys.xml');
    await page.context().route('https://site.example/n119', (route) => route.fulfill({ body: 'the site itself' }));
    await row(page, 'Post n119').waitFor();
    await page.keyboard.press('j');
    await opened(page, 'Post n119').waitFor();
    await page.keyboard.press('j');
    await opened(page, 'Post n118').waitFor();
    await page.keyboard.press('s');
    await page.getByRole('button', { name: 'Star', pressed: true }).waitFor();
    await page.keyboard.press('k');
    await opened(page, 'Post n119').waitFor();
    await page.keyboard.press('m');
    await page.getByRole('button', { name: 'Mark as read', exact: true }).waitFor();
    const [other] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('o')]);
    await other.getByText('the site itself').waitFor();
    await other.close();

    await page.keyboard.press('Escape');
    await page.reload();
    await row(page, 'Post n118').waitFor();
    expect(await row(page, 'Post n119').textContent()).toContain('unread');
    expect(await row(page, 'Post n118').textContent()).toContain('starred');
    expect(await row(page, 'Post n118').textContent()).not.toContain('unread');
  });

  it('scrolls through all of a long list, of which the page holds only what is on show', async () => {
    const page = await newReader('/keys.xml');
    await row(page, 'Post n119').waitFor();
    for (let n = 119; n >= 0; n--) {
      await page.keyboard.press('j');
      await opened(page, `Post n${n}`).waitFor();
    }
    expect(await page.getByRole('region', { name: 'Posts' }).getByRole('listitem').count()).toBeLessThan(60);
  });

  it('searches, sees the number of results, and clears the search', async () => {
    site.publish('/search.xml', post('plum', { content: '<p>About a heron.</p>' }), post('pear'));
    const page = await newReader('/search.xml');
    await row(page, 'Post pear').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('heron');
    await page.getByText('1 post found').waitFor();
    expect(await page.getByRole('region', { name: 'Posts' }).getByRole('listitem').count()).toBe(1);
    await page.getByRole('searchbox').fill('unicorn');
    await page.getByRole('heading', { name: 'No posts match “unicorn”' }).waitFor();
    await page.getByRole('searchbox').press('Escape');
    await row(page, 'Post pear').waitFor();
  });

  it('keeps their place when posts come while something is open, and sees them when they want', async () => {
    site.publish('/live.xml', post('old', { minutesAgo: 60 }));
    const page = await newReader('/live.xml');
    await row(page, 'Post old').click();
    await opened(page, 'Post old').waitFor();
    site.publish('/live.xml', post('new'));
    const newOnes = page.getByRole('button', { name: '1 new post' });
    await refreshUntil(page, newOnes);
    await newOnes.click();
    await row(page, 'Post new').waitFor();
    expect(await opened(page, 'Post old').count()).toBe(1);
  });
});

describe('content that would do harm', () => {
  it('runs no script in the page and reaches nothing of it', { timeout: 120_000 }, async () => {
    const hostile = HOSTILE_HTML.map((content, n) => ({
      ...post(`h${n}`, { content, minutesAgo: HOSTILE_HTML.length - n }),
      title: `Hostile ${n} <img src=x onerror=alert(1)>`,
    }));
    site.window = 200;
    site.publish('/hostile.xml', ...hostile);
    // Its pictures are nowhere.
    const page = await newReader('/hostile.xml', { tolerates: /Failed to load resource/ });
    const dialogs: string[] = [];
    page.on('dialog', async (dialog) => {
      dialogs.push(dialog.message());
      await dialog.dismiss();
    });
    await row(page, `Hostile ${hostile.length - 1}`).waitFor();
    for (let n = hostile.length - 1; n >= 0; n--) {
      await page.keyboard.press('j');
      await opened(page, `Hostile ${n} `).waitFor();
      expect(
        await page.locator('.article-content :is(script, iframe, object, embed, form, style, link, base)').count(),
      ).toBe(0);
    }
    expect(dialogs).toEqual([]);
    expect(new URL(page.url()).origin).toBe(millrace.address);
  });
});

describe('the settings of reading apps', () => {
  it('creates a password that is shown once, fills in what to enter, and revokes it', async () => {
    const { key } = await millrace.api<{ key: string }>('/keys', { userId: await newUser() });
    const page = await chrome.visit(millrace.address);
    await signIn(page, key, '/apps');
    await page.getByRole('heading', { name: 'No app passwords yet' }).waitFor();
    await page.getByLabel('Name of the app or device').fill('Phone');
    await page.getByRole('button', { name: 'Create app password' }).click();
    const shown = page.getByRole('status', { name: 'New password' });
    const password = (await shown.getByRole('code').nth(1).textContent()) ?? '';
    await page.getByLabel('App', { exact: true }).selectOption('newsboat');
    const guide = page.getByRole('region', { name: 'What to enter' });
    expect(await guide.textContent()).toContain(`"${millrace.address}"`);
    expect(await guide.textContent()).toContain(`"${password}"`);
    const signedIn = () =>
      fetch(`${millrace.address}/api/v1/users/me`, { headers: { authorization: `Bearer ${password}` } });
    expect((await signedIn()).status, 'an app password is no key').toBe(401);

    await page.reload();
    await page.getByText('never used').waitFor();
    expect(await page.getByText(password).count()).toBe(0);
    await page.getByRole('button', { name: 'Revoke Phone' }).click();
    await page.getByRole('button', { name: 'Revoke password' }).click();
    await page.getByRole('heading', { name: 'No app passwords yet' }).waitFor();
  });
});
