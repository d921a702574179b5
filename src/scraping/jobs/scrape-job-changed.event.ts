import { z } from 'zod';
import { Id } from '../../platform/database/columns.js';
import { defineEvent } from '../../platform/events/events.js';

/** A job's status, its counts or those of a part have changed. */
export const scrapeJobChanged = defineEvent('scrape-job-changed', z.object({ scrapeJobId: Id }));
