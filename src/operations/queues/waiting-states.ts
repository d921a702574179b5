import type { JobType } from 'bullmq';

/** In a queue that is paused, PostgreSQL's backend counts what waits under a name that BullMQ's types have dropped. */
const PAUSED = 'paused' as JobType;

/** What BullMQ calls jobs that only wait for a worker. */
export const WAITING_STATES: JobType[] = ['waiting', PAUSED, 'prioritized'];
/** Those without a priority, which come first. */
export const FIRST_STATES: JobType[] = ['waiting', PAUSED];
