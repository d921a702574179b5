import { describe, expect, it } from 'vitest';
import { fetchState } from '../../../test/fetching/fetch-state.js';
import { inWords } from '../../platform/time/in-words.js';
import type { IntervalRules } from '../intervals/interval.js';
import { adaptive } from '../intervals/interval-rules.js';
import { tiers } from '../intervals/tiers.js';
import { explainSchedule } from './explain-schedule.js';
import { learnedRhythm } from './learned-rhythm.js';

const now = new Date('2026-05-01T12:00:00Z');
const rules = { policy: tiers, floorSeconds: 60, price: 600 };
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
      /source asks to be fetched at most every 1 hour/,
    ],
    [
      { activeFollowers: 1, failures: 2, lastError: 'it was slow' },
      'back-off',
      /last 2 fetches failed \(it was slow\): it waits 4 times/,
    ],
    [{ activeFollowers: 1 }, 'none', /one active follower are fetched every 120 minutes/],
  ])('names the rule that determined the interval: %o', (state, clamp, sentence) => {
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
  ] as const)('says of %s that it is queued', (_which, state) => {
    expect(explain(state).because.at(-1)).toBe('It is queued to be fetched.');
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
    expect(because).toContain('Its host accepts no requests until 2026-05-01T13:00:00.000Z.');
  });

  it('says why missing posts have to wait', () => {
    const { because } = explain({ gaps: [{ cursor: 'x', floor: '1' }], lastError: 'its second page answered 500' });
    expect(because).toContain('Some new posts are not fetched yet (its second page answered 500).');
  });

  it('mentions a closed host, skipped hours and missing posts', () => {
    const notBefore = new Date('2026-05-01T13:00:00Z');
    const gaps = [{ cursor: 'x', floor: '1' }];
    const { because } = explain({ activeFollowers: 1, notBefore, gaps, allows: { skipHours: [1, 2] } });
    expect(because.join(' ')).toMatch(
      /accepts no requests until 2026-05-01T13:00.*at these hours \(UTC\): 1, 2.*next fetch is due soon/,
    );
  });
});

describe('the explanation of an adaptive schedule', () => {
  const adaptively = (state: Parameters<typeof fetchState>[0], more: Partial<IntervalRules> = {}) =>
    explainSchedule(
      { state: fetchState(state), followers: 30, activeWindowMs: 86_400_000, now },
      { ...rules, policy: adaptive, ...more },
    );
  const dailyAbout = (minutes: (day: number) => number) => {
    const published = Array.from({ length: 40 }, (_, day) => ({
      publishedAt: new Date(now.getTime() - day * 86_400_000 - 3 * 3_600_000 - minutes(day) * 60_000),
      dated: true,
    }));
    const learned = learnedRhythm({ rhythm: null, rhythmAt: null, lastSuccessAt: null }, { published, now });
    return { ...learned, lastFetchAt: now };
  };
  const daily = dailyAbout((day) => (day * 17) % 40);

  it('says how often a source posts and when, and what a fetch must be worth', () => {
    const { because, terms } = adaptively({ ...daily, activeFollowers: 12 });
    expect(because[1]).toMatch(/^It posts about once a day, mostly between \d+ and \d+ UTC\.$/);
    expect(because[2]).toMatch(
      /^A fetch is due once its followers have waited 10 minutes for posts in total, which is expected .* after the last fetch\.$/,
    );
    expect(terms).toMatchObject({ price: 600 });
  });

  it('says that a source posts regularly, and that it is fetched after its next post', () => {
    const { because } = adaptively({ ...dailyAbout(() => 0), activeFollowers: 12 });
    expect(because[1]).toBe('It posts regularly, about every 24 hours.');
    expect(because[2]).toBe('A fetch is due just after a post that is expected 21 hours after the last fetch.');
  });

  it('says that nothing is known of a new source', () => {
    expect(adaptively({ activeFollowers: 1 }).because[1]).toMatch(/^Nothing is known yet about when it posts/);
  });

  it.each([
    [
      'that it is met',
      { maxDelaySeconds: 900 },
      {},
      'A follower asks for posts within 15 minutes, so it is fetched that often.',
    ],
    [
      'that the minimum interval is too long',
      { maxDelaySeconds: 30 },
      {},
      /cannot be met, because no source is fetched more often than every 1 minute/,
    ],
    [
      'that the source refuses it',
      { maxDelaySeconds: 60, allows: { everySeconds: 3_600 } },
      {},
      /because the source allows a fetch only every 60 minutes/,
    ],
    ['that fetches fail', { maxDelaySeconds: 60, failures: 3 }, {}, /cannot be met while fetches fail/],
    [
      'that its host refuses it',
      { maxDelaySeconds: 60, host: 'a.example' },
      { hostPrices: new Map([['a.example', 1e9]]) },
      /because its host takes no more requests/,
    ],
  ])('says of a requested delay %s', (_what, state, more, sentence) => {
    const { because, terms } = adaptively({ ...daily, ...state }, more);
    expect(because.filter((one) => one.startsWith('A follower asks'))).toEqual([
      typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    ]);
    expect(terms).toMatchObject({ maxDelaySeconds: state.maxDelaySeconds });
  });

  it('says that a hub pushes, and that a host is short of requests', () => {
    const pushed = adaptively({ ...daily, pushedUntil: new Date('2026-05-09T00:00:00Z') }, { safetySeconds: 86_400 });
    expect(pushed.because.join(' ')).toMatch(/Its hub pushes new posts until at least 2026-05-09T00:00:00.000Z/);
    const short = adaptively({ ...daily, host: 'a.example' }, { hostPrices: new Map([['a.example', 5_000]]) });
    expect(short.because).toContain('a.example limits requests, so its sources share them.');
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
