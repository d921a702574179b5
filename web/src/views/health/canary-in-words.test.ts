import { expect, it } from 'vitest';
import { canaryInWords } from './canary-in-words';

it('tells when the last one came back, and claims nothing if none did', () => {
  expect(canaryInWords({ queue: 'fetch-rss', ageSeconds: 3, roundTripMs: 12 })).toBe('3 s ago');
  expect(canaryInWords({ queue: 'fetch-rss', ageSeconds: null, roundTripMs: null })).toBe('–');
  expect(canaryInWords(undefined)).toBe('–');
});
