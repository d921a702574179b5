import { expect, it } from 'vitest';
import { type Calls, NO_CALLS } from '../limits/capacity.js';
import { PlatformCalls } from '../limits/platform-slots.store.js';
import type { Publication } from './publications.table.js';
import { whyItWaits } from './why-it-waits.js';

const now = new Date('2026-07-03T12:00:00Z');
const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const ONE_AN_HOUR = { most: 1, windowMs: 3_600_000 };
const OPEN = { closedUntil: null, closedBecause: null };

interface Situation {
  publication?: Partial<Publication>;
  account?: { closedUntil: Date | null; closedBecause: string | null };
  calls?: Record<string, Calls>;
  limits?: { platform: typeof ONE_AN_HOUR | undefined; user: typeof ONE_AN_HOUR | undefined };
}

function why({ publication, account = OPEN, calls = {}, ...rest }: Situation) {
  const limits = rest.limits ?? { platform: undefined, user: undefined };
  const row = { userId: '1', status: 'scheduled', scheduledAt: inMinutes(-1), notBefore: null, waitingFor: null };
  const { waitingFor, waitsUntil } = whyItWaits({ ...row, ...publication } as Publication, {
    account,
    now,
    calls: new PlatformCalls(limits, new Map(Object.entries(calls))),
  });
  return [waitingFor, waitsUntil && (waitsUntil.getTime() - now.getTime()) / 60_000];
}

it('waits for its time', () => {
  expect(why({ publication: { scheduledAt: inMinutes(5) } })).toEqual(['its time', 5]);
});

it('names what holds longest', () => {
  const publication = { scheduledAt: inMinutes(5), notBefore: inMinutes(2), waitingFor: 'another try' };
  expect(why({ publication })).toEqual(['its time', 5]);
  expect(why({ publication: { ...publication, notBefore: inMinutes(9) } })).toEqual(['another try', 9]);
  const account = { closedUntil: inMinutes(20), closedBecause: 'slow down' };
  expect(why({ publication, account })).toEqual(['the platform, which said: slow down', 20]);
});

it('forgets what is over', () => {
  const account = { closedUntil: inMinutes(-1), closedBecause: 'slow down' };
  expect(why({ publication: { notBefore: inMinutes(-3), waitingFor: 'another try' }, account })).toEqual([
    'a worker',
    null,
  ]);
});

it('waits for capacity, and names the limit and the time', () => {
  const limits = { platform: undefined, user: ONE_AN_HOUR };
  const calls = { 1: { underWay: 0, endedMsAgo: [600_000] } };
  const [reason, until] = why({ limits, calls });
  expect(reason).toBe('capacity within the limit of 1 in 1 h for each user');
  expect(until).toBeCloseTo(50, 2);
  expect(why({ limits, calls: { 2: { underWay: 0, endedMsAgo: [600_000] } } })).toEqual(['a worker', null]);
  const ofAll = { platform: ONE_AN_HOUR, user: ONE_AN_HOUR };
  expect(why({ limits: ofAll, calls: { 2: { underWay: 1, endedMsAgo: [] } } })).toEqual([
    'capacity within the limit of 1 in 1 h for all together',
    null,
  ]);
  expect(why({ limits: ofAll, calls: { 1: NO_CALLS } })).toEqual(['a worker', null]);
});

it('tells when there is capacity again, though the scheduler looks sooner', () => {
  const limits = { platform: ONE_AN_HOUR, user: undefined };
  const publication = {
    notBefore: inMinutes(0.01),
    waitingFor: 'capacity within the limit of 1 in 1 h for all together',
  };
  const [reason, until] = why({ publication, limits, calls: { 1: { underWay: 0, endedMsAgo: [600_000] } } });
  expect(reason).toBe('capacity within the limit of 1 in 1 h for all together');
  expect(until).toBeCloseTo(50, 2);
});

it('waits for a worker, a look at the platform, an answer, a person, or nothing', () => {
  expect(why({ publication: { status: 'queued' } })).toEqual(['a worker', null]);
  const looking = { status: 'publishing', notBefore: inMinutes(1), waitingFor: 'a look' } as const;
  expect(why({ publication: looking })).toEqual(['a look', 1]);
  expect(why({ publication: { status: 'publishing' } })).toEqual(["the platform's answer", null]);
  expect(why({ publication: { status: 'unknown' } })[0]).toContain('a person');
  for (const status of ['published', 'failed', 'expired', 'cancelled'] as const) {
    expect(why({ publication: { status } })).toEqual([null, null]);
  }
});
