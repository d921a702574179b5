import { describe, expect, it } from 'vitest';
import { failedAt, featureWork } from '../../../test/operations/feature-work.js';
import { parseConfig } from '../../platform/config.js';
import { aboutDeadLetters, aboutWork, type FeatureWork } from './work-rules.js';

const DEFAULTS = parseConfig({}).alerts;
const hosts = (count: number) => Array.from({ length: count }, (_, place) => `host-${place}.example`);
const found = (work: FeatureWork, thresholds = DEFAULTS) => aboutWork([work], thresholds);
const codes = (work: FeatureWork, thresholds = DEFAULTS) =>
  found(work, thresholds).map(({ code, subject, severity }) => `${code} ${subject} ${severity}`);

describe('the error rate of a feature', () => {
  it('is an alert above 5 % of at least 20 runs', () => {
    expect(codes(featureWork({ ended: 100, endedBadly: 5 }))).toEqual([]);
    expect(codes(featureWork({ ended: 100, endedBadly: 6 }))).toEqual(['error_rate fetching warning']);
    expect(codes(featureWork({ ended: 3, endedBadly: 1 }))).toEqual([]);
    expect(codes(featureWork({ ended: 19, endedBadly: 19 }))).toEqual([]);
  });

  it('is as strict as is set', () => {
    const work = featureWork({ ended: 10, endedBadly: 1 });
    expect(codes(work, { ...DEFAULTS, minRuns: 10 })).toEqual(['error_rate fetching warning']);
    expect(codes(work, { ...DEFAULTS, minRuns: 10, errorsPercent: 10 })).toEqual([]);
  });

  it('names the one host that fails', () => {
    const work = featureWork({ ended: 60, endedBadly: 30 }, { targets: failedAt(['down.example'], 30) });
    expect(codes(work)).toEqual(['error_rate fetching warning']);
    expect(found(work)[0]?.message).toMatch(
      /30 of the 60 runs of fetching .* nearly all of them at the host down\.example\./,
    );
  });

  it('is critical when most of the work fails at many hosts, and says what they have in common', () => {
    const work = featureWork({ ended: 30, endedBadly: 30 }, { targets: failedAt(hosts(5), 6) });
    expect(codes(work)).toEqual(['error_rate fetching critical']);
    expect(found(work)[0]?.message).toMatch(/at 5 hosts at once\. Check the network\.$/);
  });

  it('is a warning when many hosts fail while most of the work succeeds, and where targets share no cause', () => {
    const targets = failedAt(hosts(5), 2);
    expect(codes(featureWork({ ended: 100, endedBadly: 10 }, { targets }))).toEqual(['error_rate fetching warning']);
    const { sharedCause: _, ...unshared } = featureWork(
      { ended: 30, endedBadly: 30 },
      { targets: failedAt(hosts(5), 6) },
    );
    expect(codes(unshared)).toEqual(['error_rate fetching warning']);
  });
});

describe('one target that fails while others succeed', () => {
  const one = (change: Partial<FeatureWork['targets'][0]>) =>
    codes(
      featureWork(
        { ended: 10_000, endedBadly: 20 },
        { targets: [{ target: 'down.example', ended: 20, endedBadly: 20, failedLately: 20, ...change }] },
      ),
    );

  it('is an alert of its own, with enough runs, above half of them, and while it fails', () => {
    expect(one({})).toEqual(['target_failing fetching down.example warning']);
    expect(one({ ended: 40 })).toEqual([]);
    expect(one({ ended: 19, endedBadly: 19 })).toEqual([]);
    expect(one({ failedLately: 0 })).toEqual([]);
  });

  it('is reported for the five worst at most', () => {
    const work = featureWork({ ended: 100_000, endedBadly: 200 }, { targets: failedAt(hosts(9), 20) });
    expect(codes(work)).toHaveLength(5);
  });
});

it('dead letters that grow by more than is set within an hour are an alert that says where', () => {
  const letters = [
    { queue: 'publish-mastodon', count: 18 },
    { queue: 'import-feed', count: 3 },
  ];
  expect(aboutDeadLetters(letters, { ...DEFAULTS, deadLetters: 21 })).toEqual([]);
  const [alert] = aboutDeadLetters(letters, DEFAULTS);
  expect(alert).toMatchObject({ code: 'dead_letters_growing', severity: 'warning', link: '/dead-letters' });
  expect(alert?.message).toMatch(/^21 jobs .*: 18 in publish-mastodon, 3 in import-feed\./);
});
