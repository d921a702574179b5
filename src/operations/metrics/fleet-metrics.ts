import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import { allAlerts } from '../../platform/health/alert-catalogue.js';
import { Metrics, type Reading } from '../../platform/metrics/metrics.js';
import { withTimeout } from '../../platform/time/with-timeout.js';
import { Health } from '../health/health.js';
import type { HealthReport, HealthStats } from '../health/health-report.js';
import type { BrokerQueueView } from '../queues/broker-queues.js';
import type { QueueView } from '../queues/queue-views.js';

/** Timeout in milliseconds. Prometheus usually waits for ten seconds. */
const TIMEOUT_MS = 5_000;

/** The known state of the whole fleet. Unknown values are empty or undefined. */
interface FleetState {
  report: HealthReport;
  /** Undefined while the database is unreachable. */
  stats: HealthStats | undefined;
  queues: QueueView[];
}

interface FleetGauge<Label extends string> {
  name: string;
  help: string;
  labels: readonly Label[];
  of: (state: FleetState) => Reading<Label>[];
}

/** Exports metrics of the whole fleet from processes with the api role. All of them report the same values. */
@Injectable()
export class FleetMetrics {
  private looking: Promise<FleetState> | undefined;

  constructor(
    @Inject(CONFIG) { roles }: Config,
    private readonly metrics: Metrics,
    private readonly health: Health,
  ) {
    if (!roles.has('api')) return;
    this.registerQueues();
    this.registerBrokerQueues();
    this.registerCanaries();
    this.registerWork();
    this.registerFreshness();
    this.registerFailures();
  }

  private registerQueues(): void {
    this.register({
      name: 'queue_jobs',
      help: 'Jobs in the queues.',
      labels: ['queue', 'state'],
      of: ({ queues }) => queues.flatMap((queue) => jobsByState(queue)),
    });
    this.register({
      name: 'queue_oldest_waiting_seconds',
      help: 'How long the job has waited that has waited longest; 0 if none does.',
      labels: ['queue'],
      of: ({ queues }) => queues.map((queue) => ({ queue: queue.name, value: queue.oldestWaitingSeconds ?? 0 })),
    });
    this.register({
      name: 'queue_paused',
      help: '1 if nothing of the queue is run until somebody resumes it.',
      labels: ['queue'],
      of: ({ queues }) => queues.map(({ name, paused }) => ({ queue: name, value: Number(paused) })),
    });
  }

  private registerBrokerQueues(): void {
    this.register({
      name: 'rabbitmq_queue_messages',
      help: 'Messages in the queues of RabbitMQ. Unacknowledged ones are known to the management API only.',
      labels: ['queue', 'state'],
      of: ({ stats }) => brokerQueues(stats).flatMap(messagesByState),
    });
    this.register({
      name: 'rabbitmq_queue_consumers',
      help: 'Consumers of the queues of RabbitMQ.',
      labels: ['queue'],
      of: ({ stats }) => brokerQueues(stats).flatMap(({ name, consumers }) => ifKnown({ queue: name }, consumers)),
    });
    this.register({
      name: 'rabbitmq_queue_messages_per_second',
      help: 'Rates of messages in the queues of RabbitMQ, known to the management API only.',
      labels: ['queue', 'kind'],
      of: ({ stats }) => brokerQueues(stats).flatMap(messageRates),
    });
  }

  private registerCanaries(): void {
    this.register({
      name: 'canary_age_seconds',
      help: 'Since a canary came back from a queue that is not paused; rabbitmq is the broker.',
      labels: ['queue'],
      of: ({ stats }) =>
        (stats?.canaries ?? []).flatMap(({ queue, ageSeconds: value }) => (value === null ? [] : { queue, value })),
    });
    this.register({
      name: 'canary_round_trip_seconds',
      help: 'How long the last canary took that came back; rabbitmq is the broker.',
      labels: ['queue'],
      of: ({ stats }) =>
        (stats?.canaries ?? []).flatMap(({ queue, roundTripMs: ms }) =>
          ms === null ? [] : { queue, value: ms / 1_000 },
        ),
    });
  }

  private registerWork(): void {
    this.register({
      name: 'workers',
      help: 'Processes that run jobs, and how many should.',
      labels: ['state'],
      of: ({ stats }) => byState(stats?.workers, ['available', 'expected']),
    });
    this.register({
      name: 'sources',
      help: 'Sources by how they are.',
      labels: ['state'],
      of: ({ stats }) => byState(stats?.fetching, ['active', 'failing', 'paused', 'gone']),
    });
    this.register({
      name: 'sources_stale',
      help: 'Sources that have been due for too long.',
      labels: [],
      of: ({ stats }) => alone(stats?.fetching.stale),
    });
    this.register({
      name: 'publications_due',
      help: 'Publications whose time has come and that are not out.',
      labels: [],
      of: ({ stats }) => alone(stats?.publishing.due),
    });
    this.register({
      name: 'publications_oldest_due_seconds',
      help: 'How long the publication has been due that has been due longest; 0 if none is.',
      labels: [],
      of: ({ stats }) => alone(stats && (stats.publishing.oldestDueSeconds ?? 0)),
    });
    this.register({
      name: 'publishing_success_rate',
      help: 'Share of the publications of the last hour that were published, from 0 to 1.',
      labels: [],
      of: ({ stats }) => alone(stats?.publishing.successRate ?? undefined),
    });
    this.register({
      name: 'dead_letters_open',
      help: 'Dead letters that nobody has dealt with.',
      labels: [],
      of: ({ stats }) => alone(stats?.deadLetters.open),
    });
  }

  private registerFreshness(): void {
    this.register({
      name: 'fetches_per_hour',
      help: 'Fetches that schedules have made in the last hour.',
      labels: [],
      of: ({ stats }) => alone(stats?.freshness.fetchesPerHour),
    });
    this.register({
      name: 'request_budget_per_hour',
      help: 'Fetches that schedules may make in an hour.',
      labels: [],
      of: ({ stats }) => alone(stats?.freshness.budgetPerHour ?? undefined),
    });
    this.register({
      name: 'request_price',
      help: 'What a fetch must be worth, in seconds that followers have waited.',
      labels: [],
      of: ({ stats }) => alone(stats?.freshness.price ?? undefined),
    });
    this.register({
      name: 'freshness_delay_seconds',
      help: 'From publication to discovery, of the posts found in the last 24 hours.',
      labels: ['quantile'],
      of: ({ stats }) => (stats ? delayQuantiles(stats.freshness) : []),
    });
  }

  private registerFailures(): void {
    this.register({
      name: 'dependency_up',
      help: '1 if the server answers, 0 if not.',
      labels: ['name'],
      of: ({ report }) =>
        report.stats.dependencies.map(({ name, status }) => ({ name, value: Number(status === 'up') })),
    });
    this.register({
      name: 'alerts',
      help: 'Alerts that there are now.',
      labels: ['code', 'severity'],
      of: ({ report }) => countAlerts(report),
    });
  }

  private register<Label extends string>({ of, ...described }: FleetGauge<Label>): void {
    this.metrics.gauge({ ...described, read: async () => of(await this.state()) });
  }

  private state(): Promise<FleetState> {
    this.looking ??= withTimeout(this.look(), TIMEOUT_MS).finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  private async look(): Promise<FleetState> {
    const { report, queues = [] } = await this.health.observe();
    const { stats } = report;
    const isAway = stats.dependencies.some(({ name, status }) => name === 'postgres' && status === 'down');
    return { report, queues, stats: isAway ? undefined : stats };
  }
}

const jobsByState = ({ name: queue, waiting, waitingRows, active, delayed }: QueueView) => [
  { queue, state: 'waiting', value: waiting },
  { queue, state: 'waiting_rows', value: waitingRows },
  { queue, state: 'active', value: active },
  { queue, state: 'delayed', value: delayed },
];

const brokerQueues = (stats: HealthStats | undefined) => stats?.rabbitmq?.queues ?? [];

const ifKnown = <Labels>(labels: Labels, value: number | null) => (value === null ? [] : [{ ...labels, value }]);

const messagesByState = ({ name: queue, ready, unacknowledged }: BrokerQueueView) => [
  ...ifKnown({ queue, state: 'ready' }, ready),
  ...ifKnown({ queue, state: 'unacknowledged' }, unacknowledged),
];

const messageRates = ({ name: queue, ...rates }: BrokerQueueView) => [
  ...ifKnown({ queue, kind: 'published' }, rates.publishedPerSecond),
  ...ifKnown({ queue, kind: 'delivered' }, rates.deliveredPerSecond),
  ...ifKnown({ queue, kind: 'acknowledged' }, rates.acknowledgedPerSecond),
];

const delayQuantiles = ({ medianDelaySeconds, p95DelaySeconds }: HealthStats['freshness']) => [
  ...(medianDelaySeconds === null ? [] : [{ quantile: '0.5', value: medianDelaySeconds }]),
  ...(p95DelaySeconds === null ? [] : [{ quantile: '0.95', value: p95DelaySeconds }]),
];

const alone = (value: number | undefined) => (value === undefined ? [] : [{ value }]);

function byState<const State extends string>(
  counts: Record<NoInfer<State>, number> | undefined,
  states: readonly State[],
) {
  return counts ? states.map((state) => ({ state, value: counts[state] })) : [];
}

/** Alerts that are not active count as 0. */
function countAlerts({ alerts }: HealthReport): Reading<'code' | 'severity'>[] {
  const known = allAlerts().flatMap(({ code, severities }) => severities.map((severity) => ({ code, severity })));
  const counts = new Map(known.map((alert) => [`${alert.code} ${alert.severity}`, { ...alert, value: 0 }]));
  for (const { code, severity } of alerts) {
    const key = `${code} ${severity}`;
    counts.set(key, { code, severity, value: (counts.get(key)?.value ?? 0) + 1 });
  }
  return [...counts.values()];
}
