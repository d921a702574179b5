import { describe, expect, it } from 'vitest';
import { bluesky } from './bluesky.js';

describe('an account’s name', () => {
  it.each([
    ['alice.bsky.social', 'alice.bsky.social'],
    [' @Alice.Example.COM ', 'alice.example.com'],
    ['did:plc:ewvi7nxzyoun6zhxrhs64oiz', 'did:plc:ewvi7nxzyoun6zhxrhs64oiz'],
    ['did:web:alice.example', 'did:web:alice.example'],
  ])('%o is %o', (given, actor) => {
    expect(bluesky.externalId.parse(given)).toBe(actor);
  });

  it.each([
    '',
    'alice',
    'alice@example.com',
    'alice..example',
    '-a.example',
    'a.example/x',
    'did:plc:short',
    'did:key:z6',
    `${'a.'.repeat(130)}example`,
  ])('is refused: %o', (given) => {
    expect(bluesky.externalId.safeParse(given).success).toBe(false);
  });
});

describe('the address of a profile', () => {
  it.each([
    ['https://bsky.app/profile/alice.example', 'alice.example'],
    ['https://www.bsky.app/profile/Alice.Example/', 'alice.example'],
    ['https://bsky.app/profile/alice.example/post/3k2a', 'alice.example'],
    ['https://bsky.app/profile/alice.example/rss', 'alice.example'],
    ['https://bsky.app/profile/did:plc:ewvi7nxzyoun6zhxrhs64oiz', 'did:plc:ewvi7nxzyoun6zhxrhs64oiz'],
    ['https://bsky.app/profile/did%3Aplc%3Aewvi7nxzyoun6zhxrhs64oiz', 'did:plc:ewvi7nxzyoun6zhxrhs64oiz'],
  ])('%s is %s', (address, actor) => {
    expect(bluesky.recognise?.(new URL(address))).toBe(actor);
  });

  it.each([
    'https://bsky.app/',
    'https://bsky.app/profile/alice',
    'https://bsky.app/profile/alice.example/feed/cats',
    'https://bsky.app/profile/alice.example/lists/3k2a',
    'https://bsky.app/hashtag/cats',
    'https://bsky.app.evil.example/profile/alice.example',
    'https://example.org/profile/alice.example',
  ])('%s is none', (address) => {
    expect(bluesky.recognise?.(new URL(address))).toBeUndefined();
  });
});
