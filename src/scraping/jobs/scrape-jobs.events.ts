import { z } from 'zod';
import { Id } from '../../platform/database/columns.js';
import { defineEvent } from '../../platform/events/events.js';

const ScrapeJobRef = z.object({ scrapeJobId: Id });

export const scrapeJobChanged = defineEvent('scrape-job-changed', ScrapeJobRef);

/** Processes that search for a part of this job must stop at once. */
export const scrapeJobCancelled = defineEvent('scrape-job-cancelled', ScrapeJobRef);

/** `endedBy` is the process that has to log the end. */
export const scrapeJobEnded = defineEvent('scrape-job-ended', ScrapeJobRef.extend({ endedBy: z.string() }));
