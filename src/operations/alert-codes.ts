import { defineAlert } from '../platform/health/alert-catalogue.js';

export const DEPENDENCY_DOWN = defineAlert({
  code: 'dependency_down',
  severities: ['critical'],
  when: 'PostgreSQL, Redis or RabbitMQ has not answered within 2 seconds',
  todo: 'start it, or mend its address; nothing is lost meanwhile',
});
export const WORKERS_MISSING = defineAlert({
  code: 'workers_missing',
  severities: ['warning', 'critical'],
  when: 'fewer than 80 % (`MILLRACE_ALERT_WORKERS`) of the worker processes are there; critical if none is',
  todo: 'look why the others went; start as many as there were',
});
export const QUEUE_STUCK = defineAlert({
  code: 'queue_stuck',
  severities: ['critical'],
  when: 'a canary has not come back from a queue for 30 seconds (`MILLRACE_ALERT_CANARY`), although workers are there and have room',
  todo: 'look in the log of the workers for `trouble with the queue`, and at the memory and disk of Redis or PostgreSQL; restart the workers one by one',
});
export const BROKER_STUCK = defineAlert({
  code: 'broker_stuck',
  severities: ['critical'],
  when: 'the same through RabbitMQ, which answers',
  todo: 'look whether RabbitMQ takes messages (its memory and disk alarms) and has the queue `millrace.canary` with a consumer; restart the workers one by one',
});
export const QUEUE_BACKLOG = defineAlert({
  code: 'queue_backlog',
  severities: ['warning'],
  when: 'more than 1,000 jobs (`MILLRACE_ALERT_WAITING`) wait in a queue',
  todo: 'wait, or start more workers',
});
export const OLDEST_WAITING = defineAlert({
  code: 'oldest_waiting',
  severities: ['warning'],
  when: 'a job has waited for more than 5 minutes (`MILLRACE_ALERT_OLDEST`), in a queue that is not paused',
  todo: 'the same; see whether its queue moves at all',
});
export const QUEUE_PAUSED = defineAlert({
  code: 'queue_paused',
  severities: ['warning'],
  when: 'somebody has paused a queue',
  todo: 'resume it',
});
export const ERROR_RATE = defineAlert({
  code: 'error_rate',
  severities: ['warning'],
  when: 'more than 5 % (`MILLRACE_ALERT_ERRORS`) of the runs of jobs failed, whether they are tried again or not',
  todo: 'read the dead letters and the log',
});
