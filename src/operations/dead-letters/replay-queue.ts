import { Inject, Injectable } from '@nestjs/common';
import type { JobDefinition } from '../../platform/jobs/job-catalogue.js';
import type { WaitingRow } from '../../platform/jobs/job-rows.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { LOG, type Log } from '../../platform/log/log.js';
import { type DeadLetterRow, DeadLettersStore } from './dead-letters.store.js';

@Injectable()
export class ReplayQueue {
  constructor(
    @Inject(LOG) private readonly log: Log,
    private readonly jobs: Jobs,
    private readonly letters: DeadLettersStore,
  ) {}

  /** An unreachable queue is not an error: the decision stands, and the sweeps enqueue the jobs later. */
  async add(job: JobDefinition, letters: DeadLetterRow[], rows: WaitingRow[] = []): Promise<void> {
    if (job.rows) return this.jobs.enqueueRows({ ...job, rows: job.rows }, rows);
    try {
      await this.jobs.enqueue(job, letters.map(toRequest));
      await this.letters.replaysQueued(letters.map(({ id }) => id));
    } catch (error) {
      this.log.warn(
        { event: 'replays_not_enqueued', queue: job.name, letters: letters.length, err: error },
        'Replays could not be enqueued, the sweep will retry',
      );
    }
  }
}

/** The key is new, because the dead job may still be in the queue and a request with its id would be ignored. */
const toRequest = ({ id, subject, payload }: DeadLetterRow) => ({
  key: `${subject}-replay-${id}`,
  subject,
  data: payload as object,
});
