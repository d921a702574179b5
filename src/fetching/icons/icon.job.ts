import { z } from 'zod';
import { Id } from '../../platform/database/columns.js';
import { defineJob } from '../../platform/jobs/job-catalogue.js';
import { JobRows } from '../../platform/jobs/job-rows.js';
import { siteIcons } from '../../sources/site-icons.table.js';

export const IconJob = z.object({ iconId: Id });
export type IconJob = z.infer<typeof IconJob>;

/** The row decides when a site is asked again; job attempts are for internal errors only. */
export const iconJob = defineJob({
  name: 'icon',
  data: IconJob,
  attempts: 3,
  backoff: { type: 'exponential', delay: 60_000 },
  concurrency: 4,
  rows: new JobRows(siteIcons, 'iconId'),
});
