import { describe, expect, it } from 'vitest';
import { alertsOf, type Observed } from './alert-rules.js';

const fine: Observed = {
  workers: { available: 5, expected: 5 },
  queues: [{ name: 'fetch-rss', paused: false, waiting: 1_000, oldestWaitingSeconds: 300 }],
  runs: { ended: 100, endedBadly: 5 },
  dependencies: [{ name: 'postgres', status: 'up', detail: null }],
};
const found = (change: Partial<Observed>) =>
  alertsOf({ ...fine, ...change }).map(({ code, subject, severity }) => [code, subject, severity].join(' '));
const queue = (change: Partial<Observed['queues'][0]>) => ({
  queues: [{ name: 'scrape', paused: false, waiting: 0, oldestWaitingSeconds: null, ...change }],
});

describe('alerts', () => {
  it('are none at the very thresholds', () => {
    expect(found({})).toEqual([]);
  });

  it.each([
    { available: 4, expected: 5, alerts: [] },
    { available: 3, expected: 4, alerts: ['workers_missing  warning'] },
    { available: 0, expected: 2, alerts: ['workers_missing  critical'] },
    { available: 0, expected: 0, alerts: ['workers_missing  critical'] },
  ])('tell of workers when $available of $expected are there', ({ alerts, ...workers }) => {
    expect(found({ workers })).toEqual(alerts);
  });

  it('tell of each queue with more than 1,000 waiting', () => {
    expect(found(queue({ waiting: 1_001 }))).toEqual(['queue_backlog scrape warning']);
  });

  it('tell of a job that has waited longer than five minutes, unless its queue is paused', () => {
    expect(found(queue({ waiting: 1, oldestWaitingSeconds: 301 }))).toEqual(['oldest_waiting scrape warning']);
    expect(found(queue({ waiting: 1, oldestWaitingSeconds: 301, paused: true }))).toEqual([
      'queue_paused scrape warning',
    ]);
  });

  it('tell of runs that fail once there are enough to judge by', () => {
    expect(found({ runs: { ended: 19, endedBadly: 19 } })).toEqual([]);
    expect(found({ runs: { ended: 20, endedBadly: 1 } })).toEqual([]);
    expect(found({ runs: { ended: 20, endedBadly: 2 } })).toEqual(['error_rate  warning']);
  });

  it('tell of a server that does not answer, and why', () => {
    const [alert] = alertsOf({ ...fine, dependencies: [{ name: 'redis', status: 'down', detail: 'ECONNREFUSED' }] });
    expect(alert).toMatchObject({ code: 'dependency_down', subject: 'redis', severity: 'critical' });
    expect(alert?.message).toContain('Redis does not answer: ECONNREFUSED');
  });
});
