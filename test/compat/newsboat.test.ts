import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startFeeds } from '../feeds/reading.js';
import { newReadingApp } from '../feeds/reading-app.js';
import type { Api } from '../harness/api.js';
import { testDatabase } from '../harness/database.js';
import { foundPost, postsOn } from '../posts/made-posts.js';
import { describeWithNewsboat, Newsboat } from './newsboat.js';

const given = testDatabase();
const SLOWLY = { timeout: 20_000, interval: 200 };

describeWithNewsboat('newsboat', () => {
  let api: Api;
  let made: ReturnType<typeof postsOn>;
  let address: string;
  beforeAll(async () => {
    api = await startFeeds(given.url);
    await api.app.listen(0, '127.0.0.1');
    address = `http://127.0.0.1:${(api.app.getHttpServer().address() as AddressInfo).port}`;
    made = postsOn(given.database);
  });
  afterAll(async () => {
    await made?.sanitiser.onApplicationShutdown();
    await api?.stop();
  });

  it('through the API of Miniflux shows what is followed and unread, and marks what is opened', {
    timeout: 60_000,
  }, async () => {
    const app = await newReadingApp(api);
    const source = await app.reader.follow();
    await app.reader.send('PATCH', `/sources/${source}/follow`, { folder: 'News', title: 'Harbour News' });
    const found = ['One', 'Two', 'Three'].map((title, at) =>
      foundPost(title, {
        title,
        url: `https://example.org/${title}`,
        publishedAt: new Date(Date.UTC(2026, 0, at + 1)),
      }),
    );
    await made.save(source, found, new Date());
    const newsboat = await Newsboat.set([
      'urls-source "miniflux"',
      `miniflux-url "${address}"`,
      `miniflux-login "${app.userName}"`,
      `miniflux-password "${app.password}"`,
    ]);
    expect(await newsboat.unread()).toBe('3 unread articles');
    const unread = async () => (await app.reader.page('/feed?unread=true')).items.map(({ title }) => title);
    await newsboat.inTerminal(async (type, screen) => {
      await expect.poll(screen, SLOWLY).toContain('Harbour News');
      type('\r');
      await expect.poll(screen, SLOWLY).toContain('Three');
      type('\r');
      await expect.poll(screen, SLOWLY).toContain('Link: https://example.org/Three');
      // The article is marked when it is left.
      type('q');
      await expect.poll(unread, SLOWLY).toEqual(['Two', 'One']);
      type('N');
      await expect.poll(unread, SLOWLY).toEqual(['Three', 'Two', 'One']);
      type('q');
      type('A');
      await expect.poll(unread, SLOWLY).toEqual([]);
    });
    expect(await newsboat.unread()).toBe('0 unread articles');
    await app.reader.send('DELETE', `/posts/${(await app.reader.page()).items[0]?.id}/read`);
    expect(await newsboat.unread()).toBe('1 unread articles');
  });
});
