import { describe, expect, it } from 'vitest';
import { fetchState } from '../../test/fetching/fetch-state.js';
import { explainSchedule, inWords } from './explain-schedule.js';
import { tiers } from './intervals/tiers.js';

const now = new Date('2026-05-01T12:00:00Z');
const rules = { policy: tiers, floorSeconds: 60 };
const explain = (state: Parameters<typeof fetchState>[0]) =>
  explainSchedule({ state: fetchState(state), followers: 30, activeWindowMs: 86_400_000, now }, rules);

describe('the explanation of a schedule', () => {
  it('names followers, tier and next time', () => {
    const nextFetchAt = new Date('2026-05-01T12:14:00Z');
    const { because, ...numbers } = explain({ activeFollowers: 12, nextFetchAt });
    expect(numbers).toMatchObject({
      policy: 'tiers',
      activeFollowers: 12,
      priority: 4,
      intervalSeconds: 900,
      nextFetchAt,
    });
    expect(because).toEqual([
      '30 users follow it, 12 of them seen in the last 1 day.',
      'Sources with 10 or more active followers are fetched every 15 minutes.',
      'The next fetch is due at 2026-05-01T12:14:00.000Z.',
    ]);
  });

  it.each([
    [
      { activeFollowers: 100, allows: { everySeconds: 3_600 } },
      'source',
      /asks not to be fetched more often than every 1 hour/,
    ],
    [
      { activeFollowers: 1, failures: 2, lastError: 'it was slow' },
      'back-off',
      /last 2 fetches failed \(it was slow\): it waits 4 times/,
    ],
    [{ activeFollowers: 1 }, 'none', /one active follower are fetched every 120 minutes/],
  ])('says what had the last word: %o', (state, clamp, sentence) => {
    const { terms, because } = explain(state);
    expect(terms.clamp).toBe(clamp);
    expect(because.join(' ')).toMatch(sentence);
  });

  it('says why a source is not fetched', () => {
    expect(explain({ activeFollowers: 0 })).toMatchObject({ priority: null, intervalSeconds: null, nextFetchAt: null });
    expect(explain({ activeFollowers: 0 }).because.at(-1)).toMatch(/not fetched until one of its followers comes back/);
    expect(explain({ activeFollowers: 5, goneAt: now, lastError: 'it answered 410' }).because.at(-1)).toMatch(
      /gone for good \(it answered 410\)/,
    );
  });

  it.each([
    ['one that waits', { jobState: 'waiting', nextFetchAt: now }],
    ['one that somebody asked for', { activeFollowers: 0, jobState: 'waiting', jobPriority: 0, lastFetchAt: now }],
    ['a new one', { activeFollowers: 0, jobState: 'waiting', jobPriority: 7 }],
  ] as const)('says of %s that it is in line', (_which, state) => {
    expect(explain(state).because.at(-1)).toBe('It is in line to be fetched.');
  });

  it('promises nothing about one that lost its last active follower while it waited', () => {
    const state = {
      activeFollowers: 0,
      jobState: 'waiting',
      jobPriority: 7,
      lastFetchAt: now,
      nextFetchAt: now,
    } as const;
    expect(explain(state).because.at(-1)).toMatch(/not fetched until one of its followers comes back/);
  });

  it('does not speak of backing off where the host has named a time', () => {
    const notBefore = new Date('2026-05-01T13:00:00Z');
    const { because } = explain({ failures: 2, lastError: 'it answered 429', notBefore });
    expect(because).toContain('The last 2 fetches failed (it answered 429).');
    expect(because).toContain('Its host asked to be left alone until 2026-05-01T13:00:00.000Z.');
  });

  it('says why missing posts have to wait', () => {
    const { because } = explain({ gaps: [{ cursor: 'x', floor: '1' }], lastError: 'its second page answered 500' });
    expect(because).toContain('Not all of its new posts are fetched yet (its second page answered 500).');
  });

  it('mentions a wish to be left alone, skipped hours and missing posts', () => {
    const notBefore = new Date('2026-05-01T13:00:00Z');
    const gaps = [{ cursor: 'x', floor: '1' }];
    const { because } = explain({ activeFollowers: 1, notBefore, gaps, allows: { skipHours: [1, 2] } });
    expect(because.join(' ')).toMatch(/left alone until 2026-05-01T13:00.*hours \(UTC\): 1, 2.*goes on soon/);
  });
});

it.each([
  [1, '1 second'],
  [90, '90 seconds'],
  [7_200, '2 hours'],
  [86_400, '1 day'],
])('says %d seconds as %s', (seconds, words) => {
  expect(inWords(seconds)).toBe(words);
});
