import { Injectable } from '@nestjs/common';
import { and, eq, sql } from 'drizzle-orm';
import { users } from '../auth/users/users.table.js';
import type { Db } from '../platform/database/database.js';
import { fetchStates } from './fetch-states.table.js';
import { follows } from './follows.table.js';

/** Undefined leaves a value unchanged. */
export interface FollowDetails {
  folder?: string | null | undefined;
  title?: string | null | undefined;
  maxDelayMinutes?: number | null | undefined;
}

export interface NewFollow extends FollowDetails {
  sourceId: string;
}

@Injectable()
export class FollowsStore {
  /** Prevents that the user becomes active or inactive while their follows change. */
  async holdUser(db: Db, userId: string): Promise<void> {
    await db.execute(sql`SELECT FROM ${users} WHERE id = ${userId} FOR SHARE`);
  }

  async insert(db: Db, userId: string, wanted: NewFollow[]): Promise<string[]> {
    const { rows } = await db.execute<{ id: string }>(sql`
      INSERT INTO ${follows} (user_id, source_id, folder, title, max_delay_minutes)
      SELECT ${userId}::bigint, source_id, folder, title, max_delay FROM unnest(
        ${sql.param(wanted.map(({ sourceId }) => sourceId))}::bigint[],
        ${sql.param(wanted.map(({ folder }) => folder ?? null))}::text[],
        ${sql.param(wanted.map(({ title }) => title ?? null))}::text[],
        ${sql.param(wanted.map(({ maxDelayMinutes }) => maxDelayMinutes ?? null))}::int[]
      ) AS wanted (source_id, folder, title, max_delay)
      ON CONFLICT DO NOTHING RETURNING source_id AS id`);
    return rows.map(({ id }) => id);
  }

  /** Returns the source and those that have moved there, as far as the user followed them. */
  async delete(db: Db, userId: string, sourceId: string): Promise<string[]> {
    const which = and(eq(follows.userId, userId), withMoved(sourceId));
    const gone = await db.delete(follows).where(which).returning({ id: follows.sourceId });
    return gone.map(({ id }) => id);
  }

  /** Moves sources from a folder, and from the folders below it, to another one. Returns false if there are none. */
  async renameFolder(db: Db, userId: string, { from, to }: { from: string; to: string }): Promise<boolean> {
    const { rowCount } = await db.execute(sql`
      UPDATE ${follows} SET folder = ${to}::text || substr(folder, length(${from}::text) + 1)
      WHERE user_id = ${userId} AND (folder = ${from} OR starts_with(folder, ${from}::text || '/'))`);
    return (rowCount ?? 0) > 0;
  }

  /** The sources in the folder are then in none. Those of the folders below it stay where they are. */
  async removeFolder(db: Db, userId: string, folder: string): Promise<boolean> {
    const own = and(eq(follows.userId, userId), eq(follows.folder, folder));
    return ((await db.update(follows).set({ folder: null }).where(own)).rowCount ?? 0) > 0;
  }

  async change(db: Db, follow: { userId: string; sourceId: string }, details: FollowDetails): Promise<boolean> {
    const { folder, title, maxDelayMinutes } = details;
    const { userId, sourceId } = follow;
    const own = and(eq(follows.userId, userId), eq(follows.sourceId, sourceId));
    if (!saysAnything(details)) return (await db.$count(follows, own)) === 1;
    // Posts of sources that have moved there stay in the same folder as the others.
    const which = and(eq(follows.userId, userId), withMoved(sourceId));
    const changed = await db
      .update(follows)
      .set({ folder, title, maxDelayMinutes })
      .where(which)
      .returning({ id: follows.sourceId });
    return changed.some(({ id }) => id === sourceId);
  }
}

export const saysAnything = ({ folder, title, maxDelayMinutes }: FollowDetails) =>
  folder !== undefined || title !== undefined || maxDelayMinutes !== undefined;

const withMoved = (sourceId: string) => sql`${follows.sourceId} IN (
  SELECT ${sourceId}::bigint UNION ALL SELECT id FROM ${fetchStates} WHERE moved_to = ${sourceId})`;
