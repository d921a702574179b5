import { expect, it } from 'vitest';
import { canaryAge } from './canary-age';

it('tells when the last one came back, and claims nothing if none did', () => {
  expect(canaryAge({ queue: 'fetch-rss', ageSeconds: 3, roundTripMs: 12 })).toBe('3 s ago');
  expect(canaryAge({ queue: 'fetch-rss', ageSeconds: null, roundTripMs: null })).toBe('–');
  expect(canaryAge(undefined)).toBe('–');
});
