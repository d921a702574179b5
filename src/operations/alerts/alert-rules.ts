import { type Config, durationText } from '../../platform/config.js';
import type { ExhaustedResource } from '../../platform/database/exhausted.js';
import { alertOf, type FoundAlert } from '../../platform/health/alert-catalogue.js';
import type { ResolutionProblem } from '../../platform/http/resolution-times.js';
import type { CanaryState } from '../canaries/canaries.store.js';
import { BROKER_PATH, isFull, isServed, isStuck, type WorkerLoad } from '../canaries/canary-rules.js';
import type { Dependency } from '../health/dependencies.js';
import type { BrokerQueueView } from '../queues/broker-queues.js';
import { backlogOf, type QueueView } from '../queues/queue-views.js';
import type { ProcessReport } from '../workers/workers.store.js';
import * as alerts from './alert-codes.js';
import { aboutDeadLetters, aboutWork, type FeatureWork, type NewDeadLetters } from './work-rules.js';

type Thresholds = Config['alerts'];

export interface SystemState {
  workers: { available: number; expected: number /** How long none has been there. */; noneForMs: number };
  processes: WorkerLoad[];
  resolution: ResolutionProblem[];
  reports: ProcessReport[];
  queues: Pick<QueueView, 'name' | 'paused' | 'waiting' | 'waitingRows' | 'oldestWaitingSeconds'>[];
  brokerQueues: Pick<BrokerQueueView, 'name' | 'ready' | 'consumers'>[];
  canaries: CanaryState[];
  work: FeatureWork[];
  newDeadLetters: NewDeadLetters[];
  dependencies: Dependency[];
}

export function alertsOf(observed: SystemState, thresholds: Thresholds): FoundAlert[] {
  const { workers, queues, work, newDeadLetters, dependencies } = observed;
  return [
    ...dependencies.flatMap(aboutDependency),
    ...aboutWorkers(workers, thresholds),
    ...observed.reports.flatMap((report) => aboutProcess(report, thresholds)),
    ...aboutCanaries(observed, thresholds),
    ...queues.flatMap((queue) => aboutQueue(queue, thresholds)),
    ...observed.brokerQueues.flatMap((queue) => aboutBrokerQueue(queue, thresholds)),
    ...aboutWork(work, thresholds),
    ...aboutDeadLetters(newDeadLetters, thresholds),
    ...aboutResolution(observed.resolution),
  ];
}

export function aboutDependency({ name, status, detail }: Dependency): FoundAlert[] {
  if (status === 'up') return [];
  const title = { postgres: 'PostgreSQL', redis: 'Redis', rabbitmq: 'RabbitMQ' }[name];
  const message = `${title} does not respond: ${detail}. Work that needs it waits, and no data is lost. Start it or fix its URL.`;
  return [alertOf(alerts.DEPENDENCY_DOWN, { subject: name, message })];
}

const EXHAUSTED = {
  connections_exhausted: {
    kind: alerts.CONNECTIONS_EXHAUSTED,
    message: 'PostgreSQL has no connection left. Raise max_connections, run fewer processes, or look for slow queries.',
  },
  disk_full: {
    kind: alerts.DISK_FULL,
    message: 'The disk is full, so nothing can be stored. Free space on the disk of PostgreSQL.',
  },
};

export function aboutExhausted(resource: ExhaustedResource): FoundAlert {
  const { kind, message } = EXHAUSTED[resource];
  return alertOf(kind, { message });
}

const RESOLUTION_ADVICE = {
  critical:
    'Outgoing requests wait or fail. Check the name servers in /etc/resolv.conf, or set others in MILLRACE_DNS_SERVERS.',
  warning: 'Other names resolve. Check with `millrace sources --state failing` whether many sources have dead names.',
};

/** Raises one alert for all processes, because they usually share their name servers. */
function aboutResolution(problems: ResolutionProblem[]): FoundAlert[] {
  const worst = problems.find(({ severity }) => severity === 'critical') ?? problems[0];
  if (!worst) return [];
  const { severity } = worst;
  const message = `Name resolution ${worst.message}. ${RESOLUTION_ADVICE[severity]}`;
  return [alertOf(alerts.DNS_SLOW, { severity, message })];
}

/** A starting fleet, or a lone worker that is being replaced, has no worker for this long, in milliseconds. */
const WITHOUT_WORKERS_MS = 15_000;

function aboutWorkers(workers: SystemState['workers'], { workersPercent }: Thresholds): FoundAlert[] {
  const { available, expected, noneForMs } = workers;
  if (!available) {
    // A worker that is missing has already been absent for longer.
    if (!expected && noneForMs < WITHOUT_WORKERS_MS) return [];
    const message = 'No worker process is running. Start one with the worker role.';
    return [alertOf(alerts.WORKERS_MISSING, { severity: 'critical', message })];
  }
  if (available * 100 >= expected * workersPercent) return [];
  const are = available === 1 ? 'is' : 'are';
  const message = `${available} of ${expected} worker processes ${are} running. Check why the others stopped, or start them again.`;
  return [alertOf(alerts.WORKERS_MISSING, { message })];
}

function aboutProcess(report: ProcessReport, { clockMs, stallMs }: Thresholds): FoundAlert[] {
  const { host, pid, roles, skewMs, isMemoryLow, maxStallMs } = report;
  const subject = `${host}:${pid}`;
  const name = `process ${pid} on ${host} (${roles.join(', ')})`;
  const found: FoundAlert[] = [];
  if (Math.abs(skewMs) > clockMs)
    found.push(alertOf(alerts.CLOCK_SKEW, { subject, message: clockMessage(name, report) }));
  if (isMemoryLow) found.push(alertOf(alerts.MEMORY_LOW, { subject, message: memoryMessage(name, report) }));
  if (maxStallMs > stallMs)
    found.push(alertOf(alerts.EVENT_LOOP_STALLED, { subject, message: stallMessage(name, report) }));
  return found;
}

const clockMessage = (name: string, { host, skewMs }: ProcessReport) =>
  `The clock of ${name} is ${(Math.abs(skewMs) / 1_000).toFixed(1)} s ` +
  `${skewMs > 0 ? 'ahead of' : 'behind'} PostgreSQL's. Schedules use the clock of PostgreSQL, so nothing runs early or late. ` +
  `Set the clock of ${host}, and check that NTP runs there.`;

const memoryMessage = (name: string, { heapPercent }: ProcessReport) =>
  `The ${name} uses ${heapPercent} % of its heap, so it takes no jobs and answers heavy requests with 503. It resumes automatically ` +
  'once memory is free. If it does not, raise its heap with NODE_OPTIONS=--max-old-space-size, or lower its concurrency.';

const stallMessage = (name: string, { maxStallMs }: ProcessReport) =>
  `The event loop of ${name} was blocked for ${(maxStallMs / 1_000).toFixed(1)} s within the last minute and answered ` +
  'nothing in that time. Check that its machine has a free core and is not swapping, then read its log at that time.';

/** Suppresses canary alerts that another alert explains: no worker at all, an unreachable server, a paused queue. */
function aboutCanaries(observed: SystemState, { canaryMs }: Thresholds): FoundAlert[] {
  const { workers, processes, queues, canaries, dependencies } = observed;
  if (!workers.available) return [];
  const moving = new Set(queues.filter(({ paused }) => !paused).map(({ name }) => name));
  const brokerIsUp = dependencies.some(({ name, status }) => name === BROKER_PATH && status === 'up');
  const stuck = canaries.filter((canary) => isStuck(canary, canaryMs)).map(({ path }) => path);
  return stuck.flatMap((path) => {
    if (path === BROKER_PATH) return brokerIsUp ? [aboutBroker(canaryMs)] : [];
    if (!moving.has(path) || isFull(path, processes)) return [];
    return [isServed(path, processes) ? aboutStuckQueue(path, canaryMs) : aboutUnservedQueue(path)];
  });
}

function aboutStuckQueue(name: string, canaryMs: number): FoundAlert {
  const message =
    `The queue ${name} is stuck: workers are running and have free slots, but have not taken a job from it for more than ` +
    `${durationText(canaryMs)}. Search their log for queue_error, then restart them one by one.`;
  return alertOf(alerts.QUEUE_STUCK, { subject: name, message, link: boardOf(name) });
}

function aboutUnservedQueue(name: string): FoundAlert {
  const message =
    `No running worker process serves the queue ${name}, so its jobs wait. ` +
    'Start one whose MILLRACE_QUEUES includes it, or has no MILLRACE_QUEUES.';
  return alertOf(alerts.QUEUE_STUCK, { subject: name, message, link: boardOf(name) });
}

function aboutBroker(canaryMs: number): FoundAlert {
  const message =
    `RabbitMQ responds, but a message through it has not come back for more than ${durationText(canaryMs)}. ` +
    'Check its memory and disk alarms, and whether workers consume from millrace.canary.';
  return alertOf(alerts.BROKER_STUCK, { subject: BROKER_PATH, message });
}

const boardOf = (queue: string) => `/admin/queues/queue/${queue}`;

function aboutQueue(queue: SystemState['queues'][0], { waiting: most, oldestWaitingMs }: Thresholds): FoundAlert[] {
  const { name, paused, oldestWaitingSeconds } = queue;
  const backlog = backlogOf(queue);
  const found: FoundAlert[] = [];
  const raise = (kind: typeof alerts.QUEUE_PAUSED, message: string) =>
    found.push(alertOf(kind, { subject: name, message, link: boardOf(name) }));
  if (paused) raise(alerts.QUEUE_PAUSED, `The queue ${name} is paused. Its jobs wait until it is resumed.`);
  if (backlog > most)
    raise(alerts.QUEUE_BACKLOG, `${backlog} jobs wait for the queue ${name}. ${paused ? 'Resume it.' : MORE_WORKERS}`);
  const waitedMs = (oldestWaitingSeconds ?? 0) * 1_000;
  if (!paused && waitedMs > oldestWaitingMs)
    raise(
      alerts.OLDEST_WAITING,
      `A job has waited for more than ${durationText(oldestWaitingMs)} in the queue ${name}. ${MORE_WORKERS}`,
    );
  return found;
}

/** Job queues and queues of RabbitMQ may have the same name. */
function aboutBrokerQueue(queue: SystemState['brokerQueues'][0], { waiting: max }: Thresholds): FoundAlert[] {
  const { name, ready, consumers } = queue;
  if (ready === null || ready <= max) return [];
  const message = `${ready} messages wait in the RabbitMQ queue ${name}. ${consumers ? MORE_WORKERS : NO_CONSUMER}`;
  return [alertOf(alerts.QUEUE_BACKLOG, { subject: `rabbitmq ${name}`, message })];
}

const NO_CONSUMER = 'Nothing consumes from it. Start a worker that does.';
const MORE_WORKERS = 'If this does not improve, start more workers.';
