import { expect, it } from 'vitest';
import { runSummary } from './run-summary';

const BARE = { cause: null, details: null };

it('tells who caused a run and what it brought', () => {
  const run = { attempt: 1, ms: 5, waitedMs: null, cause: 'reader', details: { new: 2, updated: 0, status: 200 } };
  expect(runSummary(run)).toBe('attempt 1, took 5 ms, triggered by reader, new 2, status 200');
});

it('tells how a run went', () => {
  expect(runSummary({ ...BARE, attempt: 1, ms: 340, waitedMs: 3_200 })).toBe('attempt 1, took 340 ms, waited 3 s');
});

it('leaves out what nobody knows', () => {
  expect(runSummary({ ...BARE, attempt: 2, ms: 65_000, waitedMs: null })).toBe('attempt 2, took 1 min 5 s');
});
