import { Inject, Injectable } from '@nestjs/common';
import { FAILED_JOBS, SCRAPE_RESULTS } from '../../contracts/queues.js';
import { DeadMessage, DeadMessages } from '../../platform/broker/dead-messages.js';
import { CONFIG, type Config } from '../../platform/config.js';
import { defineJob } from '../../platform/jobs/job-catalogue.js';
import { Handles, type JobHandler } from '../../platform/jobs/job-handler.js';

/** Only the dead letter of a message enqueues this job. */
const failedJobsJob = defineJob({
  name: FAILED_JOBS,
  data: DeadMessage,
  attempts: ({ replayAttempts }) => replayAttempts,
  backoff: { type: 'exponential', delay: ({ replayBackoffMs }) => replayBackoffMs },
  concurrency: 1,
});

/** If the message fails again, a new dead letter links back to the first one. */
@Injectable()
@Handles(failedJobsJob)
export class FailedJobsWorker implements JobHandler<DeadMessage> {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly messages: DeadMessages,
  ) {}

  async run(message: DeadMessage): Promise<void> {
    const isResult = message.routingKey === SCRAPE_RESULTS;
    await this.messages.republish(isResult ? SCRAPE_RESULTS : this.config.scrapeQueue, message);
  }
}
