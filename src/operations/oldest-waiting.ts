import type { Job } from 'bullmq';
import type { Database } from '../platform/database/database.js';
import { CANARY } from '../platform/queue/canary.js';
import type { JobDefinition } from '../platform/queue/job-catalogue.js';
import type { JobQueue } from '../platform/queue/queue-backend.js';
import { rowRunOf } from './row-of-job.js';
import { FIRST_STATES } from './waiting-states.js';

/** Those that jobs are given here; 0 is a list of its own. */
const PRIORITIES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
/** The first of a line may be taken while it is looked at, and then looks as if it had waited no time. */
const CLOSE = 3;

/** Since when the job waits that waits longest. Of each priority the first in line are looked at, as the urgent overtake the others. */
export async function oldestWaiting(
  database: Database,
  job: JobDefinition,
  queue: JobQueue,
): Promise<Date | undefined> {
  const first = await queue.getJobs(FIRST_STATES, 0, CLOSE - 1, true);
  const counts = await queue.getCountsPerPriority(PRIORITIES);
  let place = 0;
  for (const priority of PRIORITIES) {
    const inLine = counts[priority] ?? 0;
    if (inLine) first.push(...(await queue.getJobs(['prioritized'], place, place + CLOSE - 1, true)));
    place += inLine;
  }
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
