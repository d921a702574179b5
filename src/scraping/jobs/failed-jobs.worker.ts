import { Injectable } from '@nestjs/common';
import { FAILED_JOBS, SCRAPE_JOBS, SCRAPE_RESULTS } from '../../contracts/queues.js';
import { DeadMessage, DeadMessages } from '../../platform/broker/dead-messages.js';
import { defineJob } from '../../platform/jobs/job-catalogue.js';
import { Handles, type JobHandler } from '../../platform/jobs/job-handler.js';

/** Only the dead letter of a message enqueues this job. */
const failedJobsJob = defineJob({
  name: FAILED_JOBS,
  data: DeadMessage,
  attempts: 3,
  backoff: { type: 'exponential', delay: 5_000 },
  concurrency: 1,
});

/** If the message fails again, a new dead letter links back to the first one. */
@Injectable()
@Handles(failedJobsJob)
export class FailedJobsWorker implements JobHandler<DeadMessage> {
  constructor(private readonly messages: DeadMessages) {}

  async run(message: DeadMessage): Promise<void> {
    await this.messages.republish(message.routingKey === SCRAPE_RESULTS ? SCRAPE_RESULTS : SCRAPE_JOBS, message);
  }
}
