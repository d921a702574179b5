import { FAILED_JOBS } from '../../contracts/queues.js';
import { DeadMessage } from '../../platform/broker/dead-message.js';
import { defineJob } from '../../platform/queue/job-catalogue.js';

/** The replay of a message that could not become a scrape job. Enqueued by way of its dead letter only. */
export const failedJobsJob = defineJob({
  name: FAILED_JOBS,
  data: DeadMessage,
  attempts: 3,
  backoff: { type: 'exponential', delay: 5_000 },
  concurrency: 1,
});
