import { Injectable } from '@nestjs/common';
import { SCRAPE_JOBS } from '../../contracts/queues.js';
import { Broker } from '../../platform/broker/broker.js';
import type { DeadMessage } from '../../platform/broker/dead-message.js';
import { republish } from '../../platform/broker/republish.js';
import { Handles, type JobHandler } from '../../platform/jobs/job-handler.js';
import { failedJobsJob } from './failed-jobs.job.js';

/** Sends a failed message again. If it fails again, a new dead letter links back to the first one. */
@Injectable()
@Handles(failedJobsJob)
export class FailedJobsWorker implements JobHandler<DeadMessage> {
  constructor(private readonly broker: Broker) {}

  async run(message: DeadMessage): Promise<void> {
    await republish(this.broker, SCRAPE_JOBS, message);
  }
}
