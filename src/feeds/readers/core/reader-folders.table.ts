import { boolean, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { users } from '../../../auth/users/users.table.js';
import { idReference } from '../../../platform/database/columns.js';

/** Numbers for folders, because some apps know folders by number only. They are below 2^31. */
export const readerFolders = pgTable(
  'reader_folders',
  {
    id: serial().primaryKey(),
    userId: idReference()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Empty for sources without a folder. */
    folder: text().notNull(),
    /** An app has created the folder, so it is listed while it is empty. */
    isKept: boolean().notNull().default(false),
  },
  (table) => [uniqueIndex('reader_folders_of_user').on(table.userId, table.folder)],
);
