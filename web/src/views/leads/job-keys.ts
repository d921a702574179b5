/** Query keys. */
export const JOB = 'scrape-job';
export const JOBS = 'scrape-jobs';
export const LEADS = 'leads';

/** Job ids are chosen by the sender and may contain any character. */
export const jobPath = (id: string) => `/leads/${encodeURIComponent(id)}`;
