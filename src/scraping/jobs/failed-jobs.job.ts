import { FAILED_JOBS } from '../../contracts/queues.js';
import { DeadMessage } from '../../platform/broker/dead-messages.js';
import { defineJob } from '../../platform/jobs/job-catalogue.js';

/** Replays a message that could not become a scrape job. Only its dead letter enqueues it. */
export const failedJobsJob = defineJob({
  name: FAILED_JOBS,
  data: DeadMessage,
  attempts: 3,
  backoff: { type: 'exponential', delay: 5_000 },
  concurrency: 1,
});
