import { z } from 'zod';
import { DelayMinute, FetchingStats } from '../../fetching/fetching-health.js';
import { FreshnessStats } from '../../fetching/freshness-figures/freshness-health.js';
import { AlertSeverity } from '../../platform/health/alert-catalogue.js';
import { PublishingStats } from '../../publishing/publishing-health.js';
import { RabbitmqView } from '../queues/broker-queues.js';
import { Dependency } from './dependencies.js';

const HealthStatus = z.enum(['healthy', 'warning', 'critical']);

export const Alert = z.strictObject({
  code: z.string(),
  /** Distinguishes several alerts of one code, such as a queue or a feature. */
  subject: z.string().nullable(),
  severity: AlertSeverity,
  message: z.string(),
  since: z.iso.datetime(),
  link: z.string().nullable(),
});
export type Alert = z.infer<typeof Alert>;

export const HealthStats = z.strictObject({
  workers: z.strictObject({ available: z.int(), expected: z.int() }),
  queues: z.strictObject({
    waiting: z.int(),
    waitingRows: z.int(),
    active: z.int(),
    delayed: z.int(),
    failedLastHour: z.int(),
  }),
  jobs: z.strictObject({
    donePerMinute: z.number(),
    /** Runs that failed for good. */
    failedPerMinute: z.number(),
    /** Share of ended runs whose work failed, from 0 to 1, in the last minute, or in five if that had few. */
    errorRate: z.number(),
  }),
  /** The counts of each feature that did something in the last hour. */
  features: z.array(z.strictObject({ feature: z.string(), ended: z.int(), failed: z.int(), errorRate: z.number() })),
  fetching: FetchingStats,
  freshness: FreshnessStats,
  publishing: PublishingStats.extend({
    /** Posts being published, the capacity, and the ratio of the two from 0 to 1. */
    pools: z.strictObject({ busy: z.int(), size: z.int(), utilisation: z.number().nullable() }),
  }),
  deadLetters: z.strictObject({ open: z.int() }),
  dependencies: z.array(Dependency),
  /** Null if RabbitMQ is not configured or does not respond. */
  rabbitmq: RabbitmqView.nullable(),
  /** Jobs that only prove that their queue moves. `rabbitmq` is the broker. */
  canaries: z.array(
    z.strictObject({
      queue: z.string(),
      /** Time since a canary returned. Null if none has yet, or while the queue is paused. */
      ageSeconds: z.int().nullable(),
      roundTripMs: z.int().nullable(),
    }),
  ),
});
export type HealthStats = z.infer<typeof HealthStats>;

export const HealthReport = z.strictObject({
  status: HealthStatus,
  checkedAt: z.iso.datetime(),
  stats: HealthStats,
  alerts: z.array(Alert),
});
export type HealthReport = z.infer<typeof HealthReport>;

export const HealthSeries = z.strictObject({
  stepSeconds: z.int(),
  /** Runs by minute, oldest first. `failed` is final, `retried` will be tried again. */
  jobs: z.array(z.strictObject({ at: z.iso.datetime(), done: z.int(), failed: z.int(), retried: z.int() })),
  delay: z.array(DelayMinute),
});
export type HealthSeries = z.infer<typeof HealthSeries>;

export const NO_STATS: HealthStats = {
  workers: { available: 0, expected: 0 },
  queues: { waiting: 0, waitingRows: 0, active: 0, delayed: 0, failedLastHour: 0 },
  jobs: { donePerMinute: 0, failedPerMinute: 0, errorRate: 0 },
  features: [],
  fetching: {
    sources: 0,
    active: 0,
    failing: 0,
    paused: 0,
    gone: 0,
    stale: 0,
    medianDelaySeconds: null,
    p95DelaySeconds: null,
  },
  freshness: {
    medianDelaySeconds: null,
    p95DelaySeconds: null,
    fetches: 0,
    emptyFetches: 0,
    savedFetches: 0,
    fetchesPerHour: 0,
    budgetPerHour: null,
    price: null,
  },
  publishing: {
    due: 0,
    oldestDueSeconds: null,
    publishedLastHour: 0,
    failedLastHour: 0,
    successRate: null,
    pools: { busy: 0, size: 0, utilisation: null },
  },
  deadLetters: { open: 0 },
  dependencies: [],
  rabbitmq: null,
  canaries: [],
};

export function statusOf(alerts: Pick<Alert, 'severity'>[]): z.infer<typeof HealthStatus> {
  if (alerts.some(({ severity }) => severity === 'critical')) return 'critical';
  return alerts.length ? 'warning' : 'healthy';
}
