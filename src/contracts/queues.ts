/** The queues to other services. The files beside this one define their messages. */
export const fetchQueue = (type: string) => `fetch.${type}`;
export const scrapeQueue = (type: string) => `scrape.${type}`;

/** Commands that were not answered in time. */
export const DEAD_COMMANDS = 'fetch.dlq';
/** Scrape jobs from other services, and messages that could not be understood. */
export const SCRAPE_JOBS = 'scrape_jobs';
/** What another service found for the jobs that Millrace publishes to `scrape_jobs`. */
export const SCRAPE_RESULTS = 'scrape_results';
export const FAILED_JOBS = 'failed_jobs';
export const DEAD_LETTER_EXCHANGE = 'dlx';
