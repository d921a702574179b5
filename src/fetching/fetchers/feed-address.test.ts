import { describe, expect, it } from 'vitest';
import { FeedAddress } from './feed-address.js';

describe('a feed’s address', () => {
  it.each([
    ['HTTP://Example.org:80/feed', 'http://example.org/feed'],
    ['https://example.org:443/feed', 'https://example.org/feed'],
    ['https://example.org:8443/feed', 'https://example.org:8443/feed'],
    ['  https://example.org \n', 'https://example.org/'],
    ['https://example.org./feed', 'https://example.org/feed'],
    ['https://example.org/a/./b/../feed', 'https://example.org/a/feed'],
    ['https://example.org/feed#top', 'https://example.org/feed'],
    ['https://example.org/feed#', 'https://example.org/feed'],
    ['https://example.org/feed?', 'https://example.org/feed'],
    ['https://example.org/feed?b=2&a=1', 'https://example.org/feed?b=2&a=1'],
    ['https://example.org/%c3%a9', 'https://example.org/%C3%A9'],
    ['https://example.org/é', 'https://example.org/%C3%A9'],
    ['https://münchen.example/feed', 'https://xn--mnchen-3ya.example/feed'],
    ['feed://example.org/feed', 'http://example.org/feed'],
    ['feed:https://example.org/feed', 'https://example.org/feed'],
    ['https://ann:secret@example.org/feed', 'https://ann:secret@example.org/feed'],
    ['https://example.org/Feed', 'https://example.org/Feed'],
  ])('%s is %s', (text, address) => {
    expect(FeedAddress.parse(text)).toBe(address);
    expect(FeedAddress.parse(address)).toBe(address);
  });

  it.each(['', 'example.org/feed', 'ftp://example.org/', 'javascript:alert(1)', 'http://', 'https://a b/', 'feed:x'])(
    'is not %j',
    (text) => expect(FeedAddress.safeParse(text).success).toBe(false),
  );

  it('is not longer than 2,000 characters in its one spelling', () => {
    expect(FeedAddress.safeParse(`https://a.example/${'x'.repeat(1_900)}`).success).toBe(true);
    expect(FeedAddress.safeParse(`https://a.example/${'x'.repeat(2_000)}`).success).toBe(false);
    expect(FeedAddress.safeParse(`https://a.example/${'é'.repeat(1_000)}`).success).toBe(false);
  });
});
