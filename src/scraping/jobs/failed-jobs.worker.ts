import { Injectable } from '@nestjs/common';
import { SCRAPE_JOBS } from '../../contracts/queues.js';
import { Broker } from '../../platform/broker/broker.js';
import type { DeadMessage } from '../../platform/broker/dead-message.js';
import { republish } from '../../platform/broker/republish.js';
import { Handles, type JobHandler } from '../../platform/queue/job-handler.js';
import { failedJobsJob } from './failed-jobs.job.js';

/** Sends a failed message in again; if it fails again, a letter that links back says so. */
@Injectable()
@Handles(failedJobsJob)
export class FailedJobsWorker implements JobHandler<DeadMessage> {
  constructor(private readonly broker: Broker) {}

  async run(message: DeadMessage): Promise<void> {
    await republish(this.broker, SCRAPE_JOBS, message);
  }
}
