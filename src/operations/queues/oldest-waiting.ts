import type { Job } from 'bullmq';
import type { Database } from '../../platform/database/database.js';
import { CANARY } from '../../platform/queue/canary.js';
import type { JobDefinition } from '../../platform/queue/job-catalogue.js';
import type { JobQueue } from '../../platform/queue/queue-backend.js';
import { rowRunOf } from './row-of-job.js';
import { FIRST_STATES } from './waiting-states.js';

/** The priorities of tiers and platforms; 0 is a list of its own. Where owners take turns, priorities are turns and go higher. */
const PRIORITIES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
/** Jobs that are looked at in each place: one may be taken meanwhile, and then looks as if it had not waited at all. */
const CLOSE = 3;

/**
 * Since when the job that has waited longest waits. Urgent jobs overtake the others, so the first jobs of each priority are looked
 * at. Beyond those priorities owners take turns, and the oldest job is among the first or the last.
 */
export async function oldestWaiting(
  database: Database,
  job: JobDefinition,
  queue: JobQueue,
): Promise<Date | undefined> {
  const first = await queue.getJobs(FIRST_STATES, 0, CLOSE - 1, true);
  const counts = await queue.getCountsPerPriority(PRIORITIES);
  const { prioritized = 0 } = await queue.getJobCounts('prioritized');
  const places: number[] = [];
  let place = 0;
  for (const priority of PRIORITIES) {
    if (counts[priority]) places.push(place);
    place += counts[priority] ?? 0;
  }
  if (place < prioritized) places.push(place, Math.max(place, prioritized - CLOSE));
  for (const from of places) first.push(...(await queue.getJobs(['prioritized'], from, from + CLOSE - 1, true)));
  const work = first.filter(({ name }) => name !== CANARY);
  const times = await Promise.all(work.map((found) => waitingSince(database, job, found)));
  return times.toSorted((a, b) => a.getTime() - b.getTime())[0];
}

/** A job that was put off keeps its age; when its row was to run again is what counts then. */
async function waitingSince({ db }: Database, { rows }: JobDefinition, job: Job): Promise<Date> {
  const added = job.timestamp + (job.opts.delay ?? 0);
  const row = job.processedOn ? rowRunOf(job) : undefined;
  const runAt = row && (await rows?.runAt(db, row.id));
  return new Date(Math.max(added, job.processedOn ?? 0, runAt?.getTime() ?? 0));
}
