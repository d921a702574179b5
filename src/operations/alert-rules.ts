import type { FoundAlert } from '../platform/health/health-sections.js';
import type { Dependency } from './dependencies.js';
import type { QueueView } from './queue-view.js';
import { THRESHOLDS } from './thresholds.js';

export interface Observed {
  workers: { available: number; expected: number };
  queues: Pick<QueueView, 'name' | 'paused' | 'waiting' | 'oldestWaitingSeconds'>[];
  /** Runs that ended in the last minutes. */
  runs: { ended: number; endedBadly: number };
  dependencies: Dependency[];
}

/** What of this is not as it should be. */
export function alertsOf({ workers, queues, runs, dependencies }: Observed): FoundAlert[] {
  return [
    ...dependencies.flatMap(aboutDependency),
    ...aboutWorkers(workers),
    ...queues.flatMap(aboutQueue),
    ...aboutRuns(runs),
  ];
}

function aboutDependency({ name, status, detail }: Dependency): FoundAlert[] {
  if (status === 'up') return [];
  const title = { postgres: 'PostgreSQL', redis: 'Redis', rabbitmq: 'RabbitMQ' }[name];
  const message = `${title} does not answer: ${detail}. What needs it waits, nothing is lost; start it again or mend its address.`;
  return [{ code: 'dependency_down', subject: name, severity: 'critical', message, link: null }];
}

function aboutWorkers({ available, expected }: Observed['workers']): FoundAlert[] {
  const alert = { code: 'workers_missing', link: null };
  if (!available) {
    const message = 'No process runs jobs. Start one with the worker role.';
    return [{ ...alert, severity: 'critical', message }];
  }
  if (available >= expected * THRESHOLDS.workersAvailable) return [];
  const message = `${available} of ${expected} worker processes ${available === 1 ? 'is' : 'are'} there. Look why the others went, or start them again.`;
  return [{ ...alert, severity: 'warning', message }];
}

function aboutQueue({ name, paused, waiting, oldestWaitingSeconds }: Observed['queues'][0]): FoundAlert[] {
  const alert = { subject: name, severity: 'warning' as const, link: `/admin/queues/queue/${name}` };
  const found: FoundAlert[] = [];
  const tell = (code: string, message: string) => found.push({ ...alert, code, message });
  if (paused) tell('queue_paused', `The queue ${name} is paused: nothing of it is run until somebody resumes it.`);
  if (waiting > THRESHOLDS.waiting)
    tell('queue_backlog', `${waiting} jobs wait in the queue ${name}. ${paused ? 'Resume it.' : MORE_WORKERS}`);
  const minutes = Math.floor((oldestWaitingSeconds ?? 0) / 60);
  if (!paused && (oldestWaitingSeconds ?? 0) * 1_000 > THRESHOLDS.oldestWaitingMs)
    tell('oldest_waiting', `A job has waited for ${minutes} minutes in the queue ${name}. ${MORE_WORKERS}`);
  return found;
}

const MORE_WORKERS = 'If that does not get better by itself, start more workers.';

function aboutRuns({ ended, endedBadly }: Observed['runs']): FoundAlert[] {
  if (ended < THRESHOLDS.errorRateRuns || endedBadly / ended <= THRESHOLDS.errorRate) return [];
  const message =
    `${endedBadly} of the ${ended} runs of jobs in the last ${THRESHOLDS.errorRateMinutes} minutes failed. ` +
    'The dead letters say why, and the log of those that are tried again.';
  return [{ code: 'error_rate', severity: 'warning', message, link: '/dead-letters' }];
}
