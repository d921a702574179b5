import { DEAD_COMMANDS } from '../../contracts/queues.js';
import { DeadMessage } from '../../platform/broker/dead-message.js';
import { defineJob } from '../../platform/jobs/job-catalogue.js';

/** Replays a command that no worker answered. It is enqueued only through its dead letter. */
export const deadCommandsJob = defineJob({
  name: DEAD_COMMANDS,
  data: DeadMessage,
  attempts: 3,
  backoff: { type: 'exponential', delay: 5_000 },
  concurrency: 1,
});
