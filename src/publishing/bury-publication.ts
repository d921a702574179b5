import { asc, eq } from 'drizzle-orm';
import type { Db } from '../platform/database/database.js';
import { recordDeadLetter } from '../platform/queue/dead-letters/record-dead-letter.js';
import { publicationChanges } from './publication-changes.table.js';
import type { Publication } from './publications.table.js';
import { publishJobs } from './publish-jobs.js';

/** A publication that has failed for good is a dead letter, with the reasons of all its tries. */
export async function buryPublication(
  db: Db,
  { id, platform, accountId, content }: Publication,
  { reason, at }: { reason: string; at: Date },
): Promise<void> {
  const queue = publishJobs.get(platform)?.name ?? platform;
  const changes = await db
    .select()
    .from(publicationChanges)
    .where(eq(publicationChanges.publicationId, id))
    .orderBy(asc(publicationChanges.id));
  const failures = changes
    .filter(({ from, to }) => from === 'publishing' && to === 'scheduled')
    .map((change) => ({ at: change.at.toISOString(), reason: change.reason }));
  const last = { at: at.toISOString(), reason };
  const [first = last, ...rest] = failures;
  await recordDeadLetter(db, {
    ...{ queue, jobName: queue, subject: id },
    payload: { publicationId: id, accountId, content },
    history: failures.length ? [first, ...rest, last] : [last],
  });
}
