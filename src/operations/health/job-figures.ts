import { Injectable } from '@nestjs/common';
import { JobHandlers } from '../../platform/jobs/job-handler.js';
import { DeadLettersStore } from '../dead-letters/dead-letters.store.js';
import { RunCountsStore } from '../metrics/run-counts.store.js';
import { Queues } from '../queues/queues.js';

const HOUR_MS = 3_600_000;

@Injectable()
export class JobFigures {
  constructor(
    private readonly handlers: JobHandlers,
    private readonly queues: Queues,
    private readonly runs: RunCountsStore,
    private readonly letters: DeadLettersStore,
  ) {}

  async read(now: Date, { withQueues }: { withQueues: boolean }) {
    const counts = await this.runs.counts(now);
    const [queues, work, openLetters, newDeadLetters] = await Promise.all([
      withQueues ? this.queues.list(counts) : undefined,
      this.runs.recent(now),
      this.letters.countOpen(),
      this.letters.countNew(new Date(now.getTime() - HOUR_MS)),
    ]);
    const publishQueues = this.handlers.queuesOf('publishing');
    return { counts, queues, work, openLetters, newDeadLetters, publishQueues };
  }

  async forget(now: Date): Promise<void> {
    await this.runs.forget(now);
  }
}
