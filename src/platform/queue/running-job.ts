import type { Job } from 'bullmq';
import { JobEnvelope } from './job-catalogue.js';
import { storableText } from './storable.js';

const LONGEST_NAME = 200;

/** A job that is run just now. */
export interface RunningJob {
  jobId: string;
  /** What it is about, as its rows and dead letters say. */
  subject: string;
  startedAt: string;
}

export function toRunningJob({ job, startedAt }: { job: Job; startedAt: Date }): RunningJob {
  const jobId = String(job.id);
  const { subject = jobId } = JobEnvelope.safeParse(job.data).data ?? {};
  return { jobId: shortened(jobId), subject: shortened(subject), startedAt: startedAt.toISOString() };
}

const shortened = (text: string) => storableText(text.slice(0, LONGEST_NAME));
