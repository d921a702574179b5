import { describe, expect, it } from 'vitest';
import { redactAddress, redactText, redactValue } from './redact.js';

const TOKEN = 'qV3kZ0b-7RjUe_1mXyA9dLwT4sHcGfN2oPiKtBzQxYw';

describe('an address', () => {
  it.each([
    ['keeps what identifies it', 'https://example.org:8080/blog/feed.xml', 'https://example.org:8080/blog/feed.xml'],
    ['hides user name and password', 'http://user:pass@example.org/a', 'http://***@example.org/a'],
    ['hides a password with an @', 'http://user:p@ss@example.org/a', 'http://***@example.org/a'],
    ['hides a password with quotes and spaces', `http://user:p"a s's@example.org/a`, 'http://***@example.org/a'],
    ['hides passwords of servers', 'postgres://me:secret@db:5432/millrace', 'postgres://***@db:5432/millrace'],
    [
      'hides the values of its query',
      'https://a.example/?token=abc&page=2&x=',
      'https://a.example/?token=***&page=***&x=***',
    ],
    ['hides a query that is a token', `https://a.example/feed?${TOKEN}`, 'https://a.example/feed?***'],
    ['keeps a query that is a word', 'https://a.example/?rss', 'https://a.example/?rss'],
    ['hides a fragment with values', 'https://a.example/#access_token=abc', 'https://a.example/#***'],
    ['keeps a plain fragment', 'https://a.example/a#comments', 'https://a.example/a#comments'],
    [
      'hides session ids in the path',
      'https://a.example/feed;jsessionid=abc/x',
      'https://a.example/feed;jsessionid=***/x',
    ],
    ['hides random path segments', `https://a.example/websub/${TOKEN}`, 'https://a.example/websub/***'],
    ['hides hexadecimal ones', `https://a.example/private/${'0a'.repeat(16)}.rss`, 'https://a.example/private/***'],
    ['hides UUIDs', 'https://a.example/f/0b8f9ca2-0c3a-4d0c-9b49-0d5f3d1d9f11', 'https://a.example/f/***'],
    [
      'hides short ones of mixed case',
      'https://hooks.example/T0/B0/aB3dE5gH7jK9mN1pQ3sT5vW7',
      'https://hooks.example/T0/B0/***',
    ],
    [
      'keeps long slugs',
      'https://a.example/2024/why-the-presidents-of-2024-are-so-very-old',
      'https://a.example/2024/why-the-presidents-of-2024-are-so-very-old',
    ],
    ['redacts a path alone', `/websub/${TOKEN}?hub.challenge=1`, '/websub/***?hub.challenge=***'],
  ])('%s', (_, address, shown) => {
    expect(redactAddress(address)).toBe(shown);
    expect(redactAddress(shown)).toBe(shown);
  });
});

describe('a text', () => {
  it.each([
    [
      'keeps the sentence around an address',
      'http://u:p@a.example/?t=abc: answered 404 (see https://b.example/x).',
      'http://***@a.example/?t=***: answered 404 (see https://b.example/x).',
    ],
    [
      'redacts addresses in JSON',
      '{"url":"http://u:p@a.example/?t=abc","n":1}',
      '{"url":"http://***@a.example/?t=***","n":1}',
    ],
    [
      'redacts addresses with escaped slashes',
      '{"url":"http:\\/\\/u:p@a.example\\/x?t=abc"}',
      '{"url":"http:\\/\\/***@a.example\\/x?t=***"}',
    ],
    ['redacts a path with a query', 'Cannot GET /nowhere?token=abc', 'Cannot GET /nowhere?token=***'],
    ['redacts authorization', 'sent Authorization: Bearer abcdef123456', 'sent Authorization: Bearer ***'],
    ['keeps questions', 'Is this a feed? Perhaps.', 'Is this a feed? Perhaps.'],
  ])('%s', (_, text, shown) => {
    expect(redactText(text)).toBe(shown);
    expect(redactText(shown)).toBe(shown);
  });

  it('is redacted in time that grows with its length only', () => {
    const hostile = ['a'.repeat(300_000), '(/'.repeat(100_000), 'a://'.repeat(50_000), '/?'.repeat(100_000)];
    for (const text of hostile) redactText(`${text} http://u:p@a.example/`);
  });
});

it('a value is redacted in all its texts, and wherever a field is named like a secret', () => {
  const value = {
    url: 'http://u:p@a.example/',
    deep: [{ accessToken: 'abc', count: 2, at: null }],
    'x-api-key': 'abc',
  };
  expect(redactValue(value)).toEqual({
    url: 'http://***@a.example/',
    deep: [{ accessToken: '***', count: 2, at: null }],
    'x-api-key': '***',
  });
});
