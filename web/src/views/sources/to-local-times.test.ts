import { expect, it } from 'vitest';
import { toLocalTimes } from './to-local-times';

it('tells the times of a sentence in the zone of its reader', () => {
  const said = toLocalTimes('The next fetch is due at 2026-11-16T22:31:11.744Z.', 'Asia/Tokyo');
  expect(said).toMatch(/^The next fetch is due at .*17.*7:31.*\.$/);
  expect(said).not.toContain('Z');
});

it('leaves a sentence without times alone', () => {
  expect(toLocalTimes('1 user follows it.')).toBe('1 user follows it.');
});
