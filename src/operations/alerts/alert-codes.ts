import { defineAlert } from '../../platform/health/alert-catalogue.js';

export const DEPENDENCY_DOWN = defineAlert({
  code: 'dependency_down',
  severities: ['critical'],
  when: 'PostgreSQL, Redis or RabbitMQ did not respond within 2 seconds',
  todo: 'start it or fix its URL; no data is lost in the meantime',
});
export const WORKERS_MISSING = defineAlert({
  code: 'workers_missing',
  severities: ['warning', 'critical'],
  when: 'fewer than 80 % (`MILLRACE_ALERT_WORKERS`) of the worker processes are running; critical if none is',
  todo: 'check why the others stopped, and start as many as before',
});
export const CLOCK_SKEW = defineAlert({
  code: 'clock_skew',
  severities: ['warning'],
  when: "the clock of a process differs from PostgreSQL's by more than 2 seconds (`MILLRACE_ALERT_CLOCK`)",
  todo: 'set the clock of its machine and check that NTP runs there; schedules use the clock of PostgreSQL, so nothing is early or late',
});
export const MEMORY_LOW = defineAlert({
  code: 'memory_low',
  severities: ['critical'],
  when: 'a process uses more than 85 % (`MILLRACE_MEMORY_SHARE`) of its heap, so it takes no jobs and no heavy requests',
  todo: 'wait until it resumes; if it does not, raise `--max-old-space-size` or lower the concurrency',
});
export const EVENT_LOOP_STALLED = defineAlert({
  code: 'event_loop_stalled',
  severities: ['warning'],
  when: 'the event loop of a process was blocked for more than 1 second (`MILLRACE_ALERT_STALL`) within the last minute',
  todo: 'check that its machine has a free core and is not swapping, then read its log at that time',
});
export const QUEUE_STUCK = defineAlert({
  code: 'queue_stuck',
  severities: ['critical'],
  when: 'a canary has not come back from a queue for 30 seconds (`MILLRACE_ALERT_CANARY`), although workers are running and have free slots, or no worker process serves it (`MILLRACE_QUEUES`)',
  todo: 'start a process that serves it; otherwise search the log of the workers for `queue_error`, check memory and disk of Redis or PostgreSQL, then restart the workers one by one',
});
export const BROKER_STUCK = defineAlert({
  code: 'broker_stuck',
  severities: ['critical'],
  when: 'a canary has not come back through RabbitMQ for 30 seconds (`MILLRACE_ALERT_CANARY`), although RabbitMQ responds',
  todo: 'check the memory and disk alarms of RabbitMQ, and that the queue `millrace.canary` has a consumer; then restart the workers one by one',
});
export const QUEUE_BACKLOG = defineAlert({
  code: 'queue_backlog',
  severities: ['warning'],
  when: 'more than 1,000 jobs (`MILLRACE_ALERT_WAITING`) wait for one queue, in it or in rows, or as many messages in one queue of RabbitMQ',
  todo: 'wait, or start more workers',
});
export const OLDEST_WAITING = defineAlert({
  code: 'oldest_waiting',
  severities: ['warning'],
  when: 'a job has waited for more than 5 minutes (`MILLRACE_ALERT_OLDEST`), in a queue that is not paused',
  todo: 'wait, or start more workers; check whether its queue moves at all',
});
export const QUEUE_PAUSED = defineAlert({
  code: 'queue_paused',
  severities: ['warning'],
  when: 'somebody has paused a queue',
  todo: 'resume it',
});
export const DNS_SLOW = defineAlert({
  code: 'dns_slow',
  severities: ['warning', 'critical'],
  when: 'warning: at least 50 lookups, and a quarter of all, got no response in the last minute, while other names resolve; critical: half of the responses took more than 2 seconds, or none of at least 10 lookups got a response',
  todo: 'warning: remove sources with dead names; critical: check the name servers in `/etc/resolv.conf`, or set others in `MILLRACE_DNS_SERVERS`',
});
export const ERROR_RATE = defineAlert({
  code: 'error_rate',
  severities: ['warning', 'critical'],
  when: 'more than 5 % (`MILLRACE_ALERT_ERRORS`) of the work of a feature failed, of at least 20 runs (`MILLRACE_ALERT_MIN_RUNS`); critical if most of it fails at 5 hosts or more (`MILLRACE_ALERT_TARGETS`) at once',
  todo: 'read the reasons with `millrace runs --feature`; if it is critical, check the network and DNS of the machine',
});
export const TARGET_FAILING = defineAlert({
  code: 'target_failing',
  severities: ['warning'],
  when: 'more than 50 % (`MILLRACE_ALERT_TARGET_ERRORS`) of the work at one host, platform or source type failed within 5 minutes, of at least 20 runs (`MILLRACE_ALERT_MIN_RUNS`), while others succeed',
  todo: 'check whether the named host or platform is down or rejects requests',
});
export const DEAD_LETTERS_GROWING = defineAlert({
  code: 'dead_letters_growing',
  severities: ['warning'],
  when: 'more than 20 dead letters (`MILLRACE_ALERT_DEAD_LETTERS`) of the last hour are open',
  todo: 'fix their common cause, then replay or discard them',
});
export const CONNECTIONS_EXHAUSTED = defineAlert({
  code: 'connections_exhausted',
  severities: ['critical'],
  when: 'in the last 30 seconds PostgreSQL refused a connection, or no connection of a process became free in time',
  todo: 'raise `max_connections`, run fewer processes, or look for slow queries',
});
export const DISK_FULL = defineAlert({
  code: 'disk_full',
  severities: ['critical'],
  when: 'in the last 30 seconds a write failed because the disk is full',
  todo: 'free space on the disk of PostgreSQL; stored data is not lost',
});
