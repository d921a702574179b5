import { describe, expect, it } from 'vitest';
import { attachedBy } from './bluesky-embed.js';

const BOB = { did: 'did:plc:bob', handle: 'bob.example' };
const images = {
  $type: 'app.bsky.embed.images#view',
  images: [
    { thumb: 'https://cdn.example/t/1@jpeg', fullsize: 'https://cdn.example/f/1@jpeg', alt: 'a cat' },
    { thumb: 'https://cdn.example/t/2', fullsize: 'https://cdn.example/f/2', alt: '' },
    { thumb: 'x', fullsize: 'javascript:alert(1)', alt: '' },
  ],
};
const shownImages = [
  { url: 'https://cdn.example/f/1@jpeg', type: 'image/jpeg', alt: 'a cat' },
  { url: 'https://cdn.example/f/2', type: undefined, alt: undefined },
];
const quoted = {
  $type: 'app.bsky.embed.record#viewRecord',
  uri: 'at://did:plc:bob/app.bsky.feed.post/3k',
  cid: 'bafy',
  author: BOB,
  value: { $type: 'app.bsky.feed.post', text: 'I <3 cats\n\nhttps://cats.example' },
};
const shownQuote =
  '<blockquote><p><a href="https://bsky.app/profile/bob.example/post/3k">@bob.example</a></p>' +
  '<p>I &lt;3 cats</p><p><a href="https://cats.example/">https://cats.example</a></p></blockquote>';

describe('what is attached to a post', () => {
  it('may be pictures', () => {
    expect(attachedBy(images)).toEqual({ html: '', media: shownImages });
  });

  it('may be a video with its first picture', () => {
    const video = {
      $type: 'app.bsky.embed.video#view',
      cid: 'bafy',
      playlist: 'https://video.example/v/playlist.m3u8',
      thumbnail: 'https://video.example/v/thumbnail.jpg',
      alt: 'a dog',
    };
    expect(attachedBy(video)).toEqual({
      html: '',
      media: [
        { url: 'https://video.example/v/playlist.m3u8', type: 'application/vnd.apple.mpegurl', alt: 'a dog' },
        { url: 'https://video.example/v/thumbnail.jpg', type: undefined, alt: 'a dog' },
      ],
    });
  });

  it('may be a link', () => {
    const external = { uri: 'https://news.example/?a&b', title: 'News & <more>', description: 'All "new"' };
    expect(attachedBy({ $type: 'app.bsky.embed.external#view', external })).toEqual({
      html: '<p><a href="https://news.example/?a&amp;b">News &amp; &lt;more&gt;</a><br>All "new"</p>',
      media: [],
    });
  });

  it('may be a link that is called after its address', () => {
    const external = { uri: 'https://news.example/', title: '', description: '' };
    expect(attachedBy({ $type: 'app.bsky.embed.external#view', external }).html).toBe(
      '<p><a href="https://news.example/">https://news.example/</a></p>',
    );
  });

  it('may be another post', () => {
    expect(attachedBy({ $type: 'app.bsky.embed.record#view', record: quoted })).toEqual({
      html: shownQuote,
      media: [],
    });
  });

  it('may be another post and pictures', () => {
    const embed = { $type: 'app.bsky.embed.recordWithMedia#view', media: images, record: { record: quoted } };
    expect(attachedBy(embed)).toEqual({ html: shownQuote, media: shownImages });
  });

  it.each([
    [
      'a post that was deleted',
      { $type: 'app.bsky.embed.record#view', record: { $type: 'app.bsky.embed.record#viewNotFound', notFound: true } },
    ],
    ['a kind that is not known yet', { $type: 'app.bsky.embed.hologram#view' }],
    ['something broken', { $type: 'app.bsky.embed.images#view', images: 'none' }],
    ['nothing', undefined],
  ])('is not shown if it is %s', (_, embed) => {
    expect(attachedBy(embed)).toEqual({ html: '', media: [] });
  });

  it('may be nested as deep as anybody likes', () => {
    let embed: unknown = images;
    for (let depth = 0; depth < 100_000; depth += 1) {
      embed = { $type: 'app.bsky.embed.recordWithMedia#view', media: embed, record: { record: quoted } };
    }
    expect(attachedBy(embed)).toEqual({ html: shownQuote, media: [] });
  });
});
