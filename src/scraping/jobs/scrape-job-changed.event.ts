import { z } from 'zod';
import { Id } from '../../platform/database/columns.js';
import { defineEvent } from '../../platform/events/events.js';

/** The status or the counts of a job or of one of its parts have changed. */
export const scrapeJobChanged = defineEvent('scrape-job-changed', z.object({ scrapeJobId: Id }));
