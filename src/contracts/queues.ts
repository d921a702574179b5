/** The queues at the border. What each carries is in the files beside this one. */
export const fetchQueue = (type: string) => `fetch.${type}`;
export const scrapeQueue = (type: string) => `scrape.${type}`;

/** Commands that nobody answered in time. */
export const DEAD_COMMANDS = 'fetch.dlq';
/** Scrape jobs from other services, and those of them that could not be understood. */
export const SCRAPE_JOBS = 'scrape_jobs';
export const FAILED_JOBS = 'failed_jobs';
export const DEAD_LETTER_EXCHANGE = 'dlx';
