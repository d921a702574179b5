import { Injectable } from '@nestjs/common';
import { SCRAPE_JOBS } from '../../contracts/queues.js';
import { type DeadMessage, DeadMessages } from '../../platform/broker/dead-messages.js';
import { Handles, type JobHandler } from '../../platform/jobs/job-handler.js';
import { failedJobsJob } from './failed-jobs.job.js';

/** Sends a failed message again. If it fails again, a new dead letter links back to the first one. */
@Injectable()
@Handles(failedJobsJob)
export class FailedJobsWorker implements JobHandler<DeadMessage> {
  constructor(private readonly messages: DeadMessages) {}

  async run(message: DeadMessage): Promise<void> {
    await this.messages.republish(SCRAPE_JOBS, message);
  }
}
