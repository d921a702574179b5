import { and, eq, inArray } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.js';
import type { Events } from '../../platform/events/events.js';
import { storableText } from '../../platform/jobs/storable.js';
import { publicationChanged } from './publication-changed.event.js';
import type { PublicationStatus } from './publication-status.js';
import { type Publication, publicationChanges, publications } from './publications.table.js';

export interface Move {
  from: readonly PublicationStatus[];
  to: PublicationStatus;
  reason: string;
  at: Date;
  isFailedTry?: boolean;
  set?: Partial<Publication>;
}

/** Returns undefined if the publication is in none of the `from` states. */
export async function movePublication(
  db: Db,
  events: Events,
  id: string,
  move: Move,
): Promise<Publication | undefined> {
  const { to, at, set = {}, isFailedTry = false } = move;
  const [before] = await db
    .select({ status: publications.status })
    .from(publications)
    .where(and(eq(publications.id, id), inArray(publications.status, [...move.from])))
    .for('no key update');
  if (!before) return undefined;
  const [moved] = await db
    .update(publications)
    .set({ ...set, status: to })
    .where(eq(publications.id, id))
    .returning();
  if (!moved) return undefined;
  const reason = storableText(move.reason);
  await db.insert(publicationChanges).values({ publicationId: id, at, from: before.status, to, reason, isFailedTry });
  await events.publish(db, publicationChanged, { publicationId: id, userId: moved.userId });
  return moved;
}
