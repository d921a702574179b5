import { expect, it } from 'vitest';
import { hostOf, limitedHostOf } from './host-of.js';

it.each([
  ['https://www.example.org/feed', 'example.org'],
  ['https://feeds.news.bbc.co.uk/x', 'bbc.co.uk'],
  ['https://example.org./feed', 'example.org'],
  ['https://EXAMPLE.org:8443/', 'example.org'],
  ['https://one.github.io/feed', 'one.github.io'],
  ['https://github.io/', 'github.io'],
  ['http://localhost./', 'localhost'],
  ['http://0x7f.1:8080/', '127.0.0.1'],
  ['http://[2001:db8::1]/', '[2001:db8::1]'],
])('%s is served by %s', (url, host) => expect(hostOf(new URL(url))).toBe(host));

it.each([
  ['https://api.example.org/x', 'api.example.org'],
  ['https://v2.api.example.org./x', 'api.example.org'],
  ['https://www.example.org/x', 'example.org'],
  ['https://one.github.io/feed', 'github.io'],
  ['https://other.example/', 'other.example'],
])('with names of the operator, %s counts for %s', (url, host) => {
  const named = new Map([
    ['api.example.org', 600],
    ['github.io', 60],
  ]);
  expect(limitedHostOf(new URL(url), named)).toBe(host);
});
