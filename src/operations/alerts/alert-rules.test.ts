import { describe, expect, it } from 'vitest';
import { featureWork } from '../../../test/operations/feature-work.js';
import { parseConfig } from '../../platform/config.js';
import type { CanaryState } from '../canaries/canaries.store.js';
import type { ProcessReport } from '../workers/workers.store.js';
import { alertsOf, type SystemState } from './alert-rules.js';

const reportOf = (change: Partial<ProcessReport>): ProcessReport => ({
  host: 'mill',
  pid: 7,
  roles: ['api', 'scheduler'],
  skewMs: 0,
  isMemoryLow: false,
  heapPercent: 20,
  maxStallMs: 10,
  ...change,
});
const fine: SystemState = {
  workers: { available: 5, expected: 5, noneForMs: 0 },
  processes: [],
  reports: [reportOf({ skewMs: 2_000, heapPercent: 90, maxStallMs: 1_000 })],
  queues: [{ name: 'fetch-rss', paused: false, waiting: 400, waitingRows: 600, oldestWaitingSeconds: 300 }],
  brokerQueues: [
    { name: 'scrape_jobs', ready: 1_000, consumers: 0 },
    { name: 'fetch.gone', ready: null, consumers: null },
  ],
  canaries: [],
  work: [featureWork({ ended: 100, endedBadly: 5 })],
  newDeadLetters: [{ queue: 'task', count: 20 }],
  dependencies: [{ name: 'postgres', status: 'up', detail: null }],
  resolution: [],
};
const DEFAULTS = parseConfig({}).alerts;
const found = (change: Partial<SystemState>, thresholds = DEFAULTS) =>
  alertsOf({ ...fine, ...change }, thresholds).map(({ code, subject, severity }) =>
    [code, subject, severity].join(' '),
  );
const queue = (change: Partial<SystemState['queues'][0]>) => ({
  queues: [{ name: 'scrape', paused: false, waiting: 0, waitingRows: 0, oldestWaitingSeconds: null, ...change }],
});

describe('alerts', () => {
  it('are none at the very thresholds', () => {
    expect(found({})).toEqual([]);
  });

  it.each([
    { available: 4, expected: 5, alerts: [] },
    { available: 3, expected: 4, alerts: ['workers_missing  warning'] },
    { available: 0, expected: 2, alerts: ['workers_missing  critical'] },
  ])('tell of workers when $available of $expected are there', ({ alerts, ...workers }) => {
    expect(found({ workers: { ...workers, noneForMs: 0 } })).toEqual(alerts);
  });

  it('report the worst problem of name resolution that a process has', () => {
    const warning = { severity: 'warning', message: 'is slow for many names' } as const;
    const critical = { severity: 'critical', message: 'does not work' } as const;
    expect(found({ resolution: [warning] })).toEqual(['dns_slow  warning']);
    expect(found({ resolution: [warning, critical] })).toEqual(['dns_slow  critical']);
  });

  it('tell that nobody works when that lasts, and not while the first is starting', () => {
    const none = (noneForMs: number) => found({ workers: { available: 0, expected: 0, noneForMs } });
    expect([none(14_999), none(15_000)]).toEqual([[], ['workers_missing  critical']]);
  });

  it.each([
    [2_001, 'process 7 on mill (api, scheduler) is 2.0 s ahead of'],
    [-300_000, 'process 7 on mill (api, scheduler) is 300.0 s behind'],
  ])('tell which process has a clock that is %i ms ahead', (skewMs, says) => {
    const reports = [reportOf({ skewMs })];
    const [alert, ...others] = alertsOf({ ...fine, reports }, DEFAULTS);
    expect(alert).toMatchObject({ code: 'clock_skew', subject: 'mill:7', message: expect.stringContaining(says) });
    expect(others).toEqual([]);
  });

  it('tell which process is short of memory', () => {
    const reports = [reportOf({}), reportOf({ pid: 8, isMemoryLow: true, heapPercent: 91 })];
    const [alert, ...others] = alertsOf({ ...fine, reports }, DEFAULTS);
    const message = expect.stringContaining('process 8 on mill (api, scheduler) uses 91 % of its heap');
    expect(alert).toMatchObject({ code: 'memory_low', severity: 'critical', subject: 'mill:8', message });
    expect(others).toEqual([]);
  });

  it('tell which process stood still for more than a second', () => {
    const reports = [reportOf({ maxStallMs: 1_001 })];
    expect(found({ reports })).toEqual(['event_loop_stalled mill:7 warning']);
    expect(found({ reports }, { ...DEFAULTS, stallMs: 2_000 })).toEqual([]);
  });

  it('tell of each queue with more than 1,000 waiting', () => {
    expect(found(queue({ waiting: 1_001 }))).toEqual(['queue_backlog scrape warning']);
    expect(found(queue({ waiting: 200, waitingRows: 801 }))).toEqual(['queue_backlog scrape warning']);
    expect(found(queue({ waiting: 200, waitingRows: 800 }))).toEqual([]);
  });

  it('tell of each queue of RabbitMQ with more than 1,000 messages, and whether anything consumes from it', () => {
    const brokerQueues = [
      { name: 'fetch.rss', ready: 1_001, consumers: 3 },
      { name: 'scrape', ready: 2_000, consumers: 0 },
    ];
    const [one, other, ...rest] = alertsOf({ ...fine, ...queue({ waiting: 1_001 }), brokerQueues }, DEFAULTS).slice(1);
    expect(one).toMatchObject({ code: 'queue_backlog', subject: 'rabbitmq fetch.rss', severity: 'warning' });
    expect(one?.message).toContain('1001 messages wait in the RabbitMQ queue fetch.rss. If this does not improve');
    expect(other?.message).toContain('Nothing consumes from it.');
    expect(rest).toEqual([]);
  });

  it('tell of a job that has waited longer than five minutes, unless its queue is paused', () => {
    expect(found(queue({ waiting: 1, oldestWaitingSeconds: 301 }))).toEqual(['oldest_waiting scrape warning']);
    expect(found(queue({ waiting: 1, oldestWaitingSeconds: 301, paused: true }))).toEqual([
      'queue_paused scrape warning',
    ]);
  });

  it('tell of a server that does not answer, and why', () => {
    const down = {
      ...fine,
      dependencies: [{ name: 'redis' as const, status: 'down' as const, detail: 'ECONNREFUSED' }],
    };
    const [alert] = alertsOf(down, DEFAULTS);
    expect(alert).toMatchObject({ code: 'dependency_down', subject: 'redis', severity: 'critical' });
    expect(alert?.message).toContain('Redis does not respond: ECONNREFUSED');
  });

  it('are as strict as is set', () => {
    const set = {
      ...DEFAULTS,
      workersPercent: 100,
      waiting: 10,
      oldestWaitingMs: 1_000,
      errorsPercent: 1,
      clockMs: 1_000,
      deadLetters: 19,
    };
    expect(found({ workers: { available: 4, expected: 5, noneForMs: 0 } }, set)).toEqual([
      'workers_missing  warning',
      'clock_skew mill:7 warning',
      'queue_backlog fetch-rss warning',
      'oldest_waiting fetch-rss warning',
      'queue_backlog rabbitmq scrape_jobs warning',
      'error_rate fetching warning',
      'dead_letters_growing  warning',
    ]);
  });
});

describe('alerts of a standstill', () => {
  const canary = (change: Partial<CanaryState> = {}): CanaryState => ({
    path: 'scrape',
    isPaused: false,
    waitingMs: 30_001,
    excusedAgoMs: null,
    returnedAgoMs: null,
    roundTripMs: 5,
    ...change,
  });
  const pool = (running: number) => ({ isThere: true, running: [{ queue: 'scrape', running, concurrency: 2 }] });
  const broker = (status: 'up' | 'down') => ({
    canaries: [canary({ path: 'rabbitmq' })],
    dependencies: [{ name: 'rabbitmq' as const, status, detail: 'away' }],
  });

  it.each<{ what: string; change: Partial<SystemState>; alerts: string[] }>([
    {
      what: 'a canary that is out for too long',
      change: { canaries: [canary()] },
      alerts: ['queue_stuck scrape critical'],
    },
    { what: 'none that is on its way', change: { canaries: [canary({ waitingMs: 30_000 })] }, alerts: [] },
    { what: 'none that something else kept', change: { canaries: [canary({ excusedAgoMs: 29_000 })] }, alerts: [] },
    {
      what: 'one that has stayed out since',
      change: { canaries: [canary({ excusedAgoMs: 31_000 })] },
      alerts: ['queue_stuck scrape critical'],
    },
    {
      what: 'none in a paused queue',
      change: { canaries: [canary()], ...queue({ paused: true }) },
      alerts: ['queue_paused scrape warning'],
    },
    {
      what: 'none while all pools are full',
      change: { canaries: [canary()], processes: [pool(2), pool(2)] },
      alerts: [],
    },
    {
      what: 'one although a pool has capacity',
      change: { canaries: [canary()], processes: [pool(2), pool(1)] },
      alerts: ['queue_stuck scrape critical'],
    },
    {
      what: 'none where nobody runs jobs',
      change: { canaries: [canary()], workers: { available: 0, expected: 1, noneForMs: 0 } },
      alerts: ['workers_missing  critical'],
    },
    { what: 'none of a queue that is not known', change: { canaries: [canary({ path: 'old' })] }, alerts: [] },
    { what: 'one of the broker', change: broker('up'), alerts: ['broker_stuck rabbitmq critical'] },
    { what: 'none of a broker that is away', change: broker('down'), alerts: ['dependency_down rabbitmq critical'] },
  ])('tell of $what', ({ change, alerts }) => {
    expect(found({ ...queue({}), ...change })).toEqual(alerts);
  });
});
