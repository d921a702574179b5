import type { Job, JobType } from 'bullmq';
import type { Database } from '../../platform/database/database.js';
import type { JobDefinition } from '../../platform/queue/job-catalogue.js';
import type { RowRun } from '../../platform/queue/job-rows.js';
import type { JobQueue } from '../../platform/queue/queue-backend.js';
import { rowRunOf } from './row-of-job.js';
import { WAITING_STATES } from './waiting-states.js';

const BATCH = 200;
const NOT_STARTED: JobType[] = [...WAITING_STATES, 'delayed'];

/**
 * Removes what nobody needs: jobs that have ended, and jobs whose row does not wait for them (any more), which would end
 * without doing anything. A job that its row waits for stays, as the sweep would bring it back; so does one without a row, which
 * would be lost. Returns how many were removed.
 */
export async function cleanQueue(database: Database, job: JobDefinition, queue: JobQueue): Promise<number> {
  let removed = 0;
  for (const ended of ['completed', 'failed'] as const) removed += (await queue.clean(0, 0, ended)).length;
  for (const leftover of await leftovers(database, job, queue)) if (await removeUnlessTaken(leftover)) removed++;
  return removed;
}

/** A run's number is never used again: what is left over now cannot be needed later. */
async function leftovers({ db }: Database, { rows }: JobDefinition, queue: JobQueue): Promise<Iterable<Job>> {
  const found = new Map<string, Job>();
  if (!rows) return [];
  const counts = await queue.getJobCounts(...NOT_STARTED);
  for (const state of NOT_STARTED) {
    for (let start = 0; start < (counts[state] ?? 0); start += BATCH) {
      const jobs = await queue.getJobs([state], start, start + BATCH - 1, true);
      const runs = jobs.map(rowRunOf).filter((run) => run !== undefined);
      const waiting = new Set((await rows.waiting(db, runs)).map(keyOf));
      for (const job of jobs) {
        const run = rowRunOf(job);
        if (run && !waiting.has(keyOf(run))) found.set(String(job.id), job);
      }
    }
  }
  return found.values();
}

const keyOf = ({ id, run }: RowRun) => `${id}-${run}`;

/** BullMQ refuses to remove a job that a worker holds, which then ends by itself. */
async function removeUnlessTaken(job: Job): Promise<boolean> {
  try {
    await job.remove();
    return true;
  } catch (error) {
    const state = await job.getState();
    if (state === 'active' || state === 'unknown') return false;
    throw error;
  }
}
