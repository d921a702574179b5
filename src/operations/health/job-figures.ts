import { Injectable } from '@nestjs/common';
import { JobHandlers } from '../../platform/jobs/job-handler.js';
import { DeadLettersStore } from '../dead-letters/dead-letters.store.js';
import { RunCountsStore } from '../metrics/run-counts.store.js';
import { BrokerQueues } from '../queues/broker-queues.js';
import { Queues } from '../queues/queues.js';
import { type Dependency, isDown } from './dependencies.js';

const HOUR_MS = 3_600_000;

@Injectable()
export class JobFigures {
  constructor(
    private readonly handlers: JobHandlers,
    private readonly queues: Queues,
    private readonly brokerQueues: BrokerQueues,
    private readonly runs: RunCountsStore,
    private readonly letters: DeadLettersStore,
  ) {}

  async read(now: Date, dependencies: Dependency[]) {
    const counts = await this.runs.counts(now);
    const [queues, rabbitmq, work, openLetters, newDeadLetters] = await Promise.all([
      isDown(dependencies, 'redis') ? undefined : this.queues.list(counts),
      isDown(dependencies, 'rabbitmq') ? null : this.brokerQueues.read(),
      this.runs.recent(now),
      this.letters.countOpen(),
      this.letters.countNew(new Date(now.getTime() - HOUR_MS)),
    ]);
    const publishQueues = this.handlers.queuesOf('publishing');
    return { counts, queues, rabbitmq, work, openLetters, newDeadLetters, publishQueues };
  }

  async forget(now: Date): Promise<void> {
    await this.runs.forget(now);
  }
}
