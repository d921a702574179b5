import { describe, expect, it } from 'vitest';
import {
  ended,
  expired,
  failed,
  first,
  isGivenUp,
  isYoung,
  missed,
  pushed,
  pushedUntil,
  refused,
  verified,
} from './subscription-rules.js';
import type { Subscription } from './subscriptions.table.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const now = new Date('2026-03-01T12:00:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const retries = { websubAttempts: 3, websubBackoffMs: MINUTE };
const HUBS = ['https://one.example/', 'https://two.example/'];

function subscription(given: Partial<Subscription> = {}): Subscription {
  return {
    id: '1',
    jobCause: null,
    jobOwner: null,
    sourceId: '1',
    hubUrls: HUBS.slice(0, 1),
    hubUrl: 'https://one.example/',
    topicUrl: 'https://a.example/',
    token: 't',
    secret: 's',
    state: 'asked',
    begunAt: now,
    verifiedAt: null,
    leaseUntil: null,
    lastPushAt: null,
    lastError: null,
    failures: 0,
    missedAt: null,
    firstSince: 0,
    askAt: now,
    askedAt: null,
    pingedAt: null,
    pingTakenAt: null,
    jobState: 'idle',
    jobRun: 1,
    jobFence: 0,
    jobPriority: 0,
    jobRunAt: now,
    jobSweepAt: now,
    ...given,
  };
}

/** Returns a subscription after a sequence of events. */
function through(begun: Subscription, ...steps: ((one: Subscription) => Partial<Subscription>)[]): Subscription {
  let one = begun;
  for (const step of steps) one = { ...one, ...step(one) };
  return one;
}
const leased = (given: Partial<Subscription> = {}) =>
  through(subscription(given), (one) => verified(one, 10 * DAY, now));

describe('a hub that verifies', () => {
  it('is relied on until its lease ends, and asked again at half of it', () => {
    const one = leased();
    expect(one).toMatchObject({ state: 'verified', verifiedAt: now, askAt: later(5 * DAY) });
    expect(pushedUntil(one)).toEqual(later(10 * DAY));
  });

  it('has promised to push since the first of leases that follow one another', () => {
    const renewed = verified(leased(), 10 * DAY, later(5 * DAY));
    expect(renewed).toMatchObject({ verifiedAt: now, leaseUntil: later(15 * DAY) });
    expect(verified(leased(), 10 * DAY, later(11 * DAY))).toMatchObject({ verifiedAt: later(11 * DAY) });
  });

  it('is not asked again every moment, however short its lease is', () => {
    expect(verified(subscription(), 1_000, now)).toMatchObject({ leaseUntil: later(1_000), askAt: later(5_000) });
  });
});

describe('a hub that cannot be asked', () => {
  it('is tried after a minute, then after twice as long each time, up to a day', () => {
    const waits = [0, 1, 2, 3, 20].map(
      (failures) => failed(subscription({ failures }), { reason: 'no', now }, retries).askAt,
    );
    expect(waits).toEqual([MINUTE, 2 * MINUTE, 4 * MINUTE, 8 * MINUTE, DAY].map(later));
  });

  it('is not relied on from its first failure on, and again once it has verified', () => {
    const failing = through(leased(), (one) => failed(one, { reason: 'it is away', now: later(5 * DAY) }, retries));
    expect(failing).toMatchObject({ state: 'verified', lastError: 'it is away' });
    expect(pushedUntil(failing)).toBeNull();
    const back = through(failing, (one) => verified(one, 10 * DAY, later(6 * DAY)));
    expect(pushedUntil(back)).toEqual(later(16 * DAY));
  });

  it('gives way to the next that the source names, after three times', () => {
    const no = (one: Subscription) => failed(one, { reason: 'no', now }, retries);
    const begun = subscription({ hubUrls: HUBS });
    expect(through(begun, no, no)).toMatchObject({ hubUrl: HUBS[0], failures: 2 });
    expect(through(begun, no, no, no)).toMatchObject({ hubUrl: HUBS[1], failures: 0, state: 'asked', askAt: now });
  });

  it('is tried again a day later if the others cannot be asked either, and so on', () => {
    const no = (one: Subscription) => failed(one, { reason: 'no', now }, retries);
    const none = [no, no, no, no, no, no];
    const around = { hubUrl: HUBS[0], failures: 0, state: 'asked', askAt: later(DAY) };
    expect(through(subscription({ hubUrls: HUBS }), ...none)).toMatchObject(around);
    expect(through(subscription({ hubUrls: HUBS }), ...none, ...none)).toMatchObject(around);
  });
});

describe('a hub that refuses', () => {
  it('gives way at once to the next that the source names', () => {
    expect(refused(subscription({ hubUrls: HUBS }), 'no', now)).toMatchObject({ hubUrl: HUBS[1], state: 'asked' });
  });

  it('is left alone for a week if it was the last; then all are asked in their order', () => {
    const last = subscription({ hubUrls: HUBS, hubUrl: 'https://two.example/' });
    const after = { state: 'refused', hubUrl: HUBS[0], lastError: 'no', askAt: later(7 * DAY) };
    expect(refused(last, 'no', now)).toMatchObject(after);
  });

  it('is not relied on, though its lease would last', () => {
    expect(pushedUntil(through(leased(), (one) => refused(one, 'no', now)))).toBeNull();
  });
});

describe('a hub that missed something', () => {
  const miss = (one: Subscription) => missed(one, later(DAY));
  const push = (one: Subscription) => pushed(one, true, later(DAY + HOUR));

  it('is requested again and not trusted, even if the hub verifies it', () => {
    const one = through(leased(), miss);
    expect(one).toMatchObject({ state: 'missed', askAt: later(DAY) });
    expect(pushedUntil(one)).toBeNull();
    const again = through(one, (held) => verified(held, 10 * DAY, later(DAY)));
    expect(again.state).toBe('missed');
    expect(pushedUntil(again)).toBeNull();
  });

  it('is relied on again when it was first with news three times', () => {
    expect(through(leased(), miss, push, push).state).toBe('missed');
    const one = through(leased(), miss, push, push, push);
    expect(one).toMatchObject({ state: 'verified', missedAt: null });
    expect(pushedUntil(one)).toEqual(later(10 * DAY));
  });

  it('must prove itself again after another miss, without a further request', () => {
    const one = through(leased(), miss, push, push, (held) => ({ ...held, askAt: later(5 * DAY) }), miss, push);
    expect(one).toMatchObject({ state: 'missed', firstSince: 1, askAt: later(5 * DAY) });
  });

  it('is relied on again alike when it only told that there is news, and was first with that', () => {
    const tell = (one: Subscription) => first(one, later(DAY + HOUR)) ?? {};
    expect(through(leased(), miss, tell, tell)).toMatchObject({ state: 'missed', firstSince: 2 });
    expect(through(leased(), miss, tell, tell, tell)).toMatchObject({ state: 'verified', missedAt: null });
  });

  it('is relied on again with news a day after, though it posts seldom', () => {
    const one = through(leased(), miss, (held) => pushed(held, true, later(2 * DAY)));
    expect(one.state).toBe('verified');
  });

  it('gains nothing by pushes of what is known', () => {
    const stale = (one: Subscription) => pushed(one, false, later(2 * DAY));
    expect(through(leased(), miss, stale, stale, stale)).toMatchObject({ state: 'missed', firstSince: 0 });
  });

  it('is remembered as such over the end of its lease', () => {
    const one = through(leased(), miss, expired, (held) => verified(held, 10 * DAY, later(12 * DAY)));
    expect(one.state).toBe('missed');
  });
});

describe('a subscription that is to end', () => {
  it('is sent to the hub at once, at most three times, and never to another hub', () => {
    const no = (one: Subscription) => failed(one, { reason: 'no', now }, retries);
    const end = (one: Subscription) => ended(one, now) as Partial<Subscription>;
    const one = through(leased({ hubUrls: HUBS }), end);
    expect(one).toMatchObject({ state: 'ending', askAt: now });
    expect(pushedUntil(one)).toBeNull();
    expect(isGivenUp(through(one, no, no), retries)).toBe(false);
    expect(through(one, no, no, no).hubUrl).toBe(HUBS[0]);
    expect(isGivenUp(through(one, no, no, no), retries)).toBe(true);
  });

  it('is over at once where no hub has a lease to end', () => {
    expect(ended(subscription(), now)).toBe('gone');
    expect(ended(through(leased(), expired), now)).toBe('gone');
  });

  it('is kept for a day, however often the source says something else', () => {
    expect(isYoung(subscription(), later(DAY - 1))).toBe(true);
    expect(isYoung(subscription(), later(DAY))).toBe(false);
  });
});
