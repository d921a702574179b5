import type { Job } from 'bullmq';
import { Id } from '../../platform/database/columns.js';
import { JobEnvelope } from '../../platform/queue/job-catalogue.js';
import type { RowRun } from '../../platform/queue/job-rows.js';

/** The run of a row that a job is for; undefined if it names none. */
export function rowRunOf(job: Job | undefined): RowRun | undefined {
  const { subject, run } = JobEnvelope.safeParse(job?.data).data ?? {};
  return run !== undefined && Id.safeParse(subject).success ? { id: subject as string, run } : undefined;
}
