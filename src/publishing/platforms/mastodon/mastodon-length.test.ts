import { describe, expect, it } from 'vitest';
import { mastodonLength, withShortMentions } from './mastodon-length.js';

describe('the length of a status', () => {
  it.each([
    ['plain text', 10],
    ['  trimmed \n', 7],
    ['👨‍👩‍👧‍👦é', 2],
    ['https://example.org/', 23],
    ['http://a.bc', 23],
    [`https://example.org/${'a'.repeat(300)}?q=${'b'.repeat(300)}#c`, 23],
    ['see https://example.org/a.', 28],
    ['(https://example.org/wiki/A_(b))', 25],
    ['https://例え.jp/道?値=1', 23],
    ['https://example.org:8080/a https://example.org/b', 47],
    ['xhttps://example.org/a', 22],
    ['http://localhost/path', 21],
    ['http://127.0.0.1/path', 21],
    ['ftp://example.org/some/path', 27],
    ['example.org/without/scheme', 26],
    ['@bob@a-very-long-instance.example', 4],
    ['hi @bob.b@social.example!', 10],
    ['@bob', 4],
    ['mail bob@social.example', 23],
    ['https://social.example/@bob@other.example', 23],
  ])('of %j is %i', (text, length) => {
    expect(mastodonLength(text)).toBe(length);
  });

  it('of a hostile text is computed at once', () => {
    for (const text of ['https://', 'https://a.', 'https://a.b/(', '@a.', '@a@b.', 'https://a.bc/?!'].map((each) =>
      each.repeat(5_000),
    )) {
      expect(mastodonLength(text)).toBeGreaterThan(0);
    }
    expect(mastodonLength(`https://${'a'.repeat(50_000)}`)).toBe(50_008);
    expect(mastodonLength(`https://a.bc/${'.'.repeat(50_000)}`)).toBe(50_023);
  });
});

describe('mentions', () => {
  it('are shown without their instance', () => {
    expect(withShortMentions('@bob@a.example, https://b.example/@carol@c.example')).toBe(
      '@bob, https://b.example/@carol@c.example',
    );
  });
});
