import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { CHANNEL, FakeYoutube } from '../../../test/platforms/fake-youtube.js';
import { fetcherTools } from '../../../test/platforms/fetcher-tools.js';
import type { FetchCommand } from '../fetcher.js';
import { youtube } from './youtube.js';

const store = testDatabase();
const PLAYLIST = 'PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf';

async function newSite() {
  const site = await new FakeYoutube().start();
  const tools = fetcherTools(store.database, { youtubeUrl: site.url });
  const signal = new AbortController().signal;
  const ask = (command: Partial<FetchCommand> = {}) =>
    youtube.fetch({ externalId: CHANNEL, limit: 50, validators: {}, now: new Date(), signal, ...command }, tools);
  const lookUp = (address: string) => youtube.lookUp?.(new URL(address), tools, signal);
  return { site, ask, lookUp };
}

describe('the videos of a channel', () => {
  it('come with title, description, picture, channel, link, time and likes', async () => {
    const { site, ask } = await newSite();
    const description = 'Water &amp; wheels: https://mills.example/?a=1&amp;b=2\n\n0:00 Start\n1:00 1 &lt; 2';
    site.videos = [{ id: 'AFA8ZtMwrvc', title: 'Mills &lt;3', description, likes: 164 }, { id: 'XsHqdYjGEFo' }];
    expect(await ask()).toMatchObject({
      source: { title: 'Mills & Races', siteUrl: `https://www.youtube.com/channel/${CHANNEL}` },
      posts: [
        {
          externalId: 'yt:video:AFA8ZtMwrvc',
          url: 'https://www.youtube.com/watch?v=AFA8ZtMwrvc',
          title: 'Mills <3',
          content:
            '<p>Water &amp; wheels: <a href="https://mills.example/?a=1&amp;b=2">https://mills.example/?a=1&amp;b=2</a></p>' +
            '<p>0:00 Start<br>1:00 1 &lt; 2</p>',
          author: { username: CHANNEL, displayName: 'Mills & Races' },
          media: [{ url: 'https://i2.ytimg.com/vi/AFA8ZtMwrvc/hqdefault.jpg', type: 'image/jpeg' }],
          metrics: { likes: 164 },
          publishedAt: new Date('2024-05-06T07:08:09Z'),
        },
        { externalId: 'yt:video:XsHqdYjGEFo', content: '' },
      ],
    });
    expect(site.paths).toEqual([`/feeds/videos.xml?channel_id=${CHANNEL}`]);
  });

  it('are asked for no more often than YouTube lets them be kept', async () => {
    const { ask } = await newSite();
    expect(await ask()).toMatchObject({ allows: { everySeconds: 900 } });
  });

  it('may lie in a playlist', async () => {
    const { site, ask } = await newSite();
    site.videos = [{ id: 'AFA8ZtMwrvc' }];
    expect(await ask({ externalId: `playlist:${PLAYLIST}` })).toMatchObject({ posts: [{}] });
    expect(site.paths).toEqual([`/feeds/videos.xml?playlist_id=${PLAYLIST}`]);
  });

  it('keep HTML in descriptions as the text that it is', async () => {
    const { site, ask } = await newSite();
    site.videos = [{ id: 'AFA8ZtMwrvc', description: '&lt;script&gt;alert(1)&lt;/script&gt;&lt;br&gt;' }];
    expect(await ask()).toMatchObject({
      posts: [{ content: '<p>&lt;script&gt;alert(1)&lt;/script&gt;&lt;br&gt;</p>' }],
    });
  });
});

describe('a channel’s name', () => {
  it.each([
    [CHANNEL, CHANNEL],
    [` ${CHANNEL} `, CHANNEL],
    [`playlist:${PLAYLIST}`, `playlist:${PLAYLIST}`],
    [PLAYLIST, `playlist:${PLAYLIST}`],
    [`playlist:${CHANNEL.replace('UC', 'UU')}`, CHANNEL],
  ])('%o is %o', (given, id) => {
    expect(youtube.externalId.parse(given)).toBe(id);
  });
});

describe('the address of a channel', () => {
  it.each([
    [`https://www.youtube.com/channel/${CHANNEL}`, CHANNEL],
    [`https://youtube.com/channel/${CHANNEL}/videos?x=1`, CHANNEL],
    [`https://m.youtube.com/channel/${CHANNEL}`, CHANNEL],
    [`https://www.youtube.com/feeds/videos.xml?channel_id=${CHANNEL}`, CHANNEL],
    [`https://www.youtube.com/feeds/videos.xml?playlist_id=${PLAYLIST}`, `playlist:${PLAYLIST}`],
    [`https://www.youtube.com/playlist?list=${PLAYLIST}`, `playlist:${PLAYLIST}`],
  ])('%s tells %s by itself', (address, id) => {
    expect(youtube.recognise?.(new URL(address))).toBe(id);
  });

  it.each([
    'https://www.youtube.com/',
    'https://www.youtube.com/@mills',
    'https://www.youtube.com/watch?v=AFA8ZtMwrvc',
    'https://www.youtube.com/playlist',
    'https://www.youtube.com/feeds/videos.xml',
    `https://example.org/channel/${CHANNEL}`,
  ])('%s does not', (address) => {
    expect(youtube.recognise?.(new URL(address))).toBeUndefined();
  });

  it.each([
    ['https://www.youtube.com/@mills', '/@mills'],
    ['https://youtube.com/@mills/videos', '/@mills'],
    ['https://www.youtube.com/c/mills', '/c/mills'],
    ['https://www.youtube.com/user/mills', '/user/mills'],
    ['https://www.youtube.com/feeds/videos.xml?user=mills', '/user/mills'],
  ])('%s is looked up at %s', async (address, path) => {
    const { site, lookUp } = await newSite();
    site.pages.set(path, `<link rel="canonical" href="https://www.youtube.com/channel/${CHANNEL}">`);
    expect(await lookUp(address)).toBe(CHANNEL);
    expect(site.paths).toEqual([path]);
  });

  it.each([
    [
      'its canonical link',
      `"channelId":"UC0000000000000000000000" <link rel="canonical" href="https://www.youtube.com/channel/${CHANNEL}">`,
    ],
    [
      'its feed',
      `<link rel="alternate" type="application/rss+xml" title="RSS" href="https://www.youtube.com/feeds/videos.xml?channel_id=${CHANNEL}">`,
    ],
    ['its description', `<meta itemprop="identifier" content="${CHANNEL}">`],
    ['its data', `<script>var ytInitialData = {"metadata":{"externalId":"${CHANNEL}"}};</script>`],
  ])('is found in its page by %s', async (_, page) => {
    const { site, lookUp } = await newSite();
    site.pages.set('/@mills', `<html><head>${page}</head></html>`);
    expect(await lookUp('https://www.youtube.com/@mills')).toBe(CHANNEL);
  });

  it('is asked for without a page about cookies in between', async () => {
    const { site, lookUp } = await newSite();
    await lookUp('https://www.youtube.com/@mills');
    expect(site.cookies).toEqual(['SOCS=CAI']);
  });

  it.each(['https://www.youtube.com/@nobody', 'https://www.youtube.com/@empty'])(
    'may tell nothing: %s',
    async (address) => {
      const { site, lookUp } = await newSite();
      site.pages.set('/@empty', '<html>no ids here</html>');
      expect(await lookUp(address)).toBeUndefined();
    },
  );

  it.each(['https://www.youtube.com/', 'https://www.youtube.com/watch?v=AFA8ZtMwrvc', 'https://medium.com/@mills'])(
    'is not looked for at %s',
    async (address) => {
      const { site, lookUp } = await newSite();
      expect(await lookUp(address)).toBeUndefined();
      expect(site.paths).toEqual([]);
    },
  );
});
