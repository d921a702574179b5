import { Injectable } from '@nestjs/common';
import { and, eq, sql } from 'drizzle-orm';
import { Database } from '../../../platform/database/database.js';
import { follows } from '../../../sources/follows.table.js';
import { readerFolders } from './reader-folders.table.js';

export interface ReaderFolder {
  /** Below 2^31. */
  id: number;
  /** Null: sources without a folder. */
  folder: string | null;
}

const NO_FOLDER = '';

/** Folders with numbers. Those that the user's sources are in get one when they are first listed. */
@Injectable()
export class ReaderFolders {
  constructor(private readonly database: Database) {}

  /** In the order of their names; the one for sources without a folder comes first. */
  async list(userId: string): Promise<ReaderFolder[]> {
    const { rows } = await this.database.db.execute<{ id: number | null; folder: string; isUsed: boolean }>(sql`
      SELECT known.id, folder, used.folder IS NOT NULL OR known.is_kept OR folder = ${NO_FOLDER} AS "isUsed"
      FROM (SELECT DISTINCT coalesce(folder, ${NO_FOLDER}) AS folder FROM ${follows} WHERE user_id = ${userId}
        UNION SELECT ${NO_FOLDER}) AS used
      FULL JOIN (SELECT id, folder, is_kept FROM ${readerFolders} WHERE user_id = ${userId}) AS known USING (folder)
      ORDER BY folder`);
    const missing = rows.filter(({ id }) => id === null).map(({ folder }) => folder);
    if (missing.length) {
      await this.add(userId, missing);
      return this.list(userId);
    }
    return rows.filter(({ isUsed }) => isUsed).map(({ id, folder }) => ({ id: id ?? 0, folder: folder || null }));
  }

  async find(userId: string, id: number): Promise<ReaderFolder | undefined> {
    return (await this.list(userId)).find((folder) => folder.id === id);
  }

  /** A folder that is known already keeps its number. */
  async create(userId: string, folder: string): Promise<ReaderFolder> {
    const isKept = true;
    const [created] = await this.database.db
      .insert(readerFolders)
      .values({ userId, folder, isKept })
      .onConflictDoUpdate({ target: [readerFolders.userId, readerFolders.folder], set: { isKept } })
      .returning();
    if (!created) throw new Error('a folder was not stored');
    return { id: created.id, folder };
  }

  /** Call this after its sources were moved. Its number stands for the new name, unless that has one already. */
  async rename(userId: string, { id }: ReaderFolder, folder: string): Promise<ReaderFolder> {
    const known = (await this.list(userId)).find((one) => one.folder === folder);
    await this.database.transaction(async (db) => {
      if (known && known.id !== id)
        await db.delete(readerFolders).where(and(eq(readerFolders.userId, userId), eq(readerFolders.id, known.id)));
      await db
        .update(readerFolders)
        .set({ folder, isKept: true })
        .where(and(eq(readerFolders.userId, userId), eq(readerFolders.id, id)));
    });
    return { id, folder };
  }

  /** Call this after its sources were moved or unfollowed. */
  async remove(userId: string, { id }: ReaderFolder): Promise<void> {
    await this.database.db.delete(readerFolders).where(and(eq(readerFolders.userId, userId), eq(readerFolders.id, id)));
  }

  private async add(userId: string, folders: string[]): Promise<void> {
    await this.database.db
      .insert(readerFolders)
      .values(folders.map((folder) => ({ userId, folder })))
      .onConflictDoNothing();
  }
}
