/** Under which the client keeps what it knows. */
export const JOB = 'scrape-job';
export const JOBS = 'scrape-jobs';
export const LEADS = 'leads';

/** Senders name their jobs as they like. */
export const jobPath = (id: string) => `/leads/${encodeURIComponent(id)}`;
