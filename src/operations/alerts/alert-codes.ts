import { defineAlert } from '../../platform/health/alert-catalogue.js';

export const DEPENDENCY_DOWN = defineAlert({
  code: 'dependency_down',
  severities: ['critical'],
  when: 'PostgreSQL, Redis or RabbitMQ has not answered within 2 seconds',
  todo: 'start it or fix its URL; nothing is lost meanwhile',
});
export const WORKERS_MISSING = defineAlert({
  code: 'workers_missing',
  severities: ['warning', 'critical'],
  when: 'fewer than 80 % (`MILLRACE_ALERT_WORKERS`) of the worker processes are there; critical if none is',
  todo: 'check why the others stopped, and start them again',
});
export const CLOCK_SKEW = defineAlert({
  code: 'clock_skew',
  severities: ['warning'],
  when: "the clock of a process differs from PostgreSQL's by more than 2 seconds (`MILLRACE_ALERT_CLOCK`)",
  todo: 'set the clock of its machine, and check that NTP runs there; schedules use the clock of PostgreSQL, so nothing is early or late',
});
export const MEMORY_LOW = defineAlert({
  code: 'memory_low',
  severities: ['critical'],
  when: 'a process uses more than 85 % (`MILLRACE_MEMORY_SHARE`) of its heap, so it takes no jobs and no heavy requests',
  todo: 'wait, as it resumes by itself; if it does not, raise `--max-old-space-size` or run fewer jobs at once',
});
export const EVENT_LOOP_STALLED = defineAlert({
  code: 'event_loop_stalled',
  severities: ['warning'],
  when: 'the event loop of a process stood still for more than 1 second (`MILLRACE_ALERT_STALL`) within the last minute',
  todo: 'check that its machine has a free core and is not swapping; then read its log of that moment',
});
export const QUEUE_STUCK = defineAlert({
  code: 'queue_stuck',
  severities: ['critical'],
  when: 'a canary has not come back from a queue for 30 seconds (`MILLRACE_ALERT_CANARY`), although workers are there and have room',
  todo: 'search the log of the workers for `queue_error`, and check the memory and disk of Redis or PostgreSQL; restart the workers one by one',
});
export const BROKER_STUCK = defineAlert({
  code: 'broker_stuck',
  severities: ['critical'],
  when: 'RabbitMQ answers, but a canary has not come back through it for 30 seconds (`MILLRACE_ALERT_CANARY`)',
  todo: 'check that RabbitMQ accepts messages (its memory and disk alarms) and has the queue `millrace.canary` with a consumer; restart the workers one by one',
});
export const QUEUE_BACKLOG = defineAlert({
  code: 'queue_backlog',
  severities: ['warning'],
  when: 'more than 1,000 jobs (`MILLRACE_ALERT_WAITING`) wait for one queue, in it or in rows',
  todo: 'wait, or start more workers',
});
export const OLDEST_WAITING = defineAlert({
  code: 'oldest_waiting',
  severities: ['warning'],
  when: 'a job has waited for more than 5 minutes (`MILLRACE_ALERT_OLDEST`), in a queue that is not paused',
  todo: 'check that its queue moves; if it does, start more workers',
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
  when: 'warning: at least 50 lookups, and a quarter of all, had no answer in the last minute, while other names are resolved; critical: half of the answers took more than 2 seconds, or none of at least 10 lookups was answered',
  todo: 'warning: remove sources with dead names; critical: check the name servers of `/etc/resolv.conf`, or set others in `MILLRACE_DNS_SERVERS`',
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
  todo: 'check whether the named host or platform is down or refuses requests',
});
export const DEAD_LETTERS_GROWING = defineAlert({
  code: 'dead_letters_growing',
  severities: ['warning'],
  when: 'more than 20 dead letters (`MILLRACE_ALERT_DEAD_LETTERS`) of the last hour are open',
  todo: 'fix what they have in common, then replay or discard them',
});
export const CONNECTIONS_EXHAUSTED = defineAlert({
  code: 'connections_exhausted',
  severities: ['critical'],
  when: 'PostgreSQL has refused a connection, or none of a process became free in time, in the last 30 seconds',
  todo: 'raise `max_connections`, run fewer processes, or look for slow queries',
});
export const DISK_FULL = defineAlert({
  code: 'disk_full',
  severities: ['critical'],
  when: 'something could not be stored in the last 30 seconds because the disk is full',
  todo: 'free space on the disk of PostgreSQL; nothing that was stored is lost',
});
