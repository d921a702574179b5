import { boolean, index, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, idReference, instant } from '../../platform/database/columns.js';
import { PUBLICATION_STATUSES } from './publication-status.js';
import { publications } from './publications.table.js';

/** Every change of a publication's status, with its reason. */
export const publicationChanges = pgTable(
  'publication_changes',
  {
    id: idColumn(),
    publicationId: idReference()
      .notNull()
      .references(() => publications.id, { onDelete: 'cascade' }),
    at: instant().notNull(),
    from: text({ enum: PUBLICATION_STATUSES }),
    to: text({ enum: PUBLICATION_STATUSES }).notNull(),
    reason: text().notNull(),
    /** Whether a try ended with it that counts as failed. */
    isFailedTry: boolean().notNull().default(false),
  },
  (table) => [
    index('publication_changes_of').on(table.publicationId, table.id),
    // Of the last hour, for statistics; they are written in that order.
    index('publication_changes_at').using('brin', table.at).with({ autosummarize: true }),
  ],
);
