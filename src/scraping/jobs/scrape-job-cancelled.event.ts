import { z } from 'zod';
import { Id } from '../../platform/database/columns.js';
import { defineEvent } from '../../platform/events/events.js';

/** Processes that search for a part of this job must stop at once. */
export const scrapeJobCancelled = defineEvent('scrape-job-cancelled', z.object({ scrapeJobId: Id }));
