import { z } from 'zod';
import { Id } from '../../platform/database/columns.js';
import { defineEvent } from '../../platform/events/events.js';

/** Whoever works on a part of it is to stop at once. */
export const scrapeJobCancelled = defineEvent('scrape-job-cancelled', z.object({ scrapeJobId: Id }));
