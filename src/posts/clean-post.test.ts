import { describe, expect, it } from 'vitest';
import { cleanPosts } from './clean-post.js';
import type { FoundPost } from './post.js';

const PLAIN: FoundPost = { externalId: '1', content: '', author: { username: '', displayName: '' }, media: [] };
const FULL: FoundPost = {
  externalId: '2',
  url: 'https://site.example/2',
  title: 'Two “2” & more',
  content: '<p>ünï 日本語 🙂\n"x"</p>',
  contentBase: 'https://site.example/',
  author: { username: 'ann', displayName: 'Ann Ünwin', avatarUrl: 'https://site.example/a.png' },
  media: [
    { url: 'https://site.example/m.mp3', type: 'audio/mpeg' },
    { url: 'https://site.example/i.png', alt: 'An image' },
  ],
  metrics: { likes: 3, comments: 0 },
  publishedAt: new Date(0),
  place: 7,
  fields: { colour: 'red' },
};
const ODD: FoundPost = {
  externalId: '3\u0000',
  title: 'a\u0000b\ud800',
  content: '\ud83d<p>\u0000</p>',
  author: { username: 'a\u0000', displayName: 'b' },
  media: [{ url: 'u\u0000', type: undefined, alt: 'x\udc00' }],
  metrics: { likes: Number.NaN, shares: 2 },
};

describe('cleanPosts', () => {
  it('keeps everything of a post', () => {
    expect(cleanPosts([FULL])).toMatchObject([FULL]);
  });

  it('hashes as it always has, so that no stored post looks changed after an upgrade', () => {
    const hashes = cleanPosts([PLAIN, FULL, ODD]).map(({ contentHash }) => contentHash);
    expect(hashes).toEqual([
      'eb5d4130c2f9d0388be9fc29565b05c2497d5edffe44a8cccd89edae',
      '270422c800f26fc58ed2e61f0791885f2736358398bdcf6699fd0ca4',
      '7350e742b009b36f16be5b501c35e4c0286bab432d51dd3fb51333f5',
    ]);
  });

  it('gives a post without an id the hash of its body', () => {
    const author = { username: 'ann', displayName: 'Ann Ünwin' };
    const [post] = cleanPosts([{ externalId: '', content: 'no id', author, media: [] }]);
    expect(post?.externalId).toBe('5dab36048d6f2d5c7a8fddef4522b7eafb7ff6a1');
  });

  it('removes what PostgreSQL cannot store', () => {
    expect(cleanPosts([ODD])).toMatchObject([
      {
        externalId: '3',
        title: 'ab\ufffd',
        content: '\ufffd<p></p>',
        author: { username: 'a', displayName: 'b' },
        media: [{ url: 'u', alt: 'x\ufffd' }],
        metrics: { shares: 2 },
      },
    ]);
  });
});
