import { and, eq, inArray } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.js';
import type { Events } from '../../platform/events/events.js';
import { publicationRows } from '../sending/publish-jobs.js';
import { movePublication } from './move-publication.js';
import { NOT_STARTED } from './publication-status.js';
import { type Publication, publications } from './publications.table.js';

/** Returns undefined once a call is intended. A worker that is preparing the publication loses its claim. */
export async function cancelPublication(
  db: Db,
  events: Events,
  { id, reason, at }: { id: string; reason: string; at: Date },
): Promise<Publication | undefined> {
  const [withdrawn] = await publicationRows.withdraw(db, and(eq(publications.id, id), isNotStarted));
  return withdrawn === undefined ? undefined : moveToCancelled(db, events, { id: withdrawn, reason, at });
}

export async function cancelPublicationsOf(
  db: Db,
  events: Events,
  { accountId, at }: { accountId: string; at: Date },
): Promise<void> {
  const withdrawn = await publicationRows.withdraw(db, and(eq(publications.accountId, accountId), isNotStarted));
  for (const id of withdrawn) await moveToCancelled(db, events, { id, reason: 'its account was removed', at });
}

const isNotStarted = inArray(publications.status, [...NOT_STARTED]);

function moveToCancelled(db: Db, events: Events, { id, reason, at }: { id: string; reason: string; at: Date }) {
  const set = { notBefore: null, waitingFor: null } as const;
  return movePublication(db, events, id, { from: NOT_STARTED, to: 'cancelled', reason, at, set });
}
