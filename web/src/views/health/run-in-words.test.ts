import { expect, it } from 'vitest';
import { courseInWords } from './run-in-words';

it('tells how a run went', () => {
  expect(courseInWords({ attempt: 1, ms: 340, waitedMs: 3_200 })).toBe('attempt 1, took 340 ms, had waited 3 s');
});

it('leaves out what nobody knows', () => {
  expect(courseInWords({ attempt: 2, ms: 65_000, waitedMs: null })).toBe('attempt 2, took 1 min 5 s');
});
