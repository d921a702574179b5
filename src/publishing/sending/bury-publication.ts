import { and, desc, eq } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.js';
import { recordDeadLetter } from '../../platform/queue/dead-letters/record-dead-letter.js';
import { publicationChanges } from '../publications/publication-changes.table.js';
import type { Publication } from '../publications/publications.table.js';
import { publishJobs } from './publish-jobs.js';

/** A publication that has failed for good is a dead letter, with the reasons of all its tries. */
export async function buryPublication(
  db: Db,
  { id, platform, accountId, content, attempts }: Publication,
  { reason, at }: { reason: string; at: Date },
): Promise<void> {
  const queue = publishJobs.get(platform)?.name ?? platform;
  const tries = await db
    .select()
    .from(publicationChanges)
    .where(and(eq(publicationChanges.publicationId, id), eq(publicationChanges.isFailedTry, true)))
    .orderBy(desc(publicationChanges.id))
    .limit(Math.max(0, attempts - 1));
  const failures = tries.reverse().map((change) => ({ at: change.at.toISOString(), reason: change.reason }));
  const last = { at: at.toISOString(), reason };
  const [first = last, ...rest] = failures;
  await recordDeadLetter(db, {
    ...{ queue, jobName: queue, subject: id },
    payload: { publicationId: id, accountId, content },
    history: failures.length ? [first, ...rest, last] : [last],
  });
}
