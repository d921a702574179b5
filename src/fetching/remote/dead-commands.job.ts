import { DEAD_COMMANDS } from '../../contracts/queues.js';
import { DeadMessage } from '../../platform/broker/dead-message.js';
import { defineJob } from '../../platform/queue/job-catalogue.js';

/** The replay of a command that no worker answered. Enqueued by way of its dead letter only. */
export const deadCommandsJob = defineJob({
  name: DEAD_COMMANDS,
  data: DeadMessage,
  attempts: 3,
  backoff: { type: 'exponential', delay: 5_000 },
  concurrency: 1,
});
