import { Injectable } from '@nestjs/common';
import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../platform/database/database.js';
import { Events } from '../platform/events/events.js';
import { type AfterCommit, Demand } from './demand.js';
import { follows } from './follows.table.js';
import { followsChanged } from './follows-changed.event.js';
import { sourceAliases } from './source-aliases.table.js';
import type { SourceIdentity } from './source-types.js';
import { SourcesStore } from './sources.store.js';
import { sources } from './sources.table.js';
import { sourcesMerged } from './sources-merged.event.js';
import { isTaken } from './sql-error.js';

/** Beyond this one event is told for all. */
const MOST_TOLD_ONE_BY_ONE = 1_000;

/** What permanent moves do to sources and follows. Call inside the transaction of the fetch that noticed the move. */
@Injectable()
export class MovesStore {
  constructor(
    private readonly sources: SourcesStore,
    private readonly demand: Demand,
    private readonly events: Events,
  ) {}

  /**
   * Gives a source a new external id, by which it is found as well as by the old one. Where another source has that id,
   * nothing changes, and that one is held and returned. If somebody else holds it just now, nothing happens until the next
   * fetch: to wait for it, out of the order of ids, could be for ever. What an old alias says about the id counts no more.
   */
  async rename(db: Db, sourceId: string, externalId: string): Promise<{ takenBy?: string | undefined }> {
    const [source] = await db.select().from(sources).where(eq(sources.id, sourceId)).for('update');
    if (!source || source.externalId === externalId) return {};
    const moved = { type: source.type, externalId };
    const owner = (await this.owner(db, moved)) ?? (await this.takeId(db, sourceId, moved));
    if (owner) return { takenBy: (await this.sources.holdFree(db, owner)) ? owner : undefined };
    await db.delete(sourceAliases).where(sameIdentity(sourceAliases, moved));
    await this.leaveAlias(db, source, sourceId);
    return {};
  }

  /**
   * Makes the followers of one source follow another, and removes the first, whose posts must have been moved before.
   * A user who follows both keeps the second's follow, with folder, title and wish of the first where it has none.
   */
  async mergeFollows(db: Db, from: string, into: string): Promise<AfterCommit> {
    const held = await this.sources.hold(db, [from, into]);
    if (!held.has(from) || !held.has(into)) throw new Error(`source ${from} or ${into} is not there to be merged`);
    const userIds = await this.moveFollows(db, from, into);
    await this.replace(db, from, into);
    await db.execute(sql`
      UPDATE ${sources} SET followers = (SELECT count(*) FROM ${follows} WHERE source_id = ${into}) WHERE id = ${into}`);
    if (userIds.length > MOST_TOLD_ONE_BY_ONE) await this.events.publish(db, sourcesMerged, { from, into });
    else
      await this.events.publishAll(
        db,
        followsChanged,
        userIds.map((userId) => ({ userId })),
      );
    return this.demand.merged(db, into);
  }

  /** Returns who followed the first. */
  private async moveFollows(db: Db, from: string, into: string): Promise<string[]> {
    const { rows } = await db.execute<{ id: string }>(sql`
      WITH gone AS (DELETE FROM ${follows} WHERE source_id = ${from} RETURNING *)
      INSERT INTO ${follows} AS kept (user_id, source_id, folder, title, max_delay_minutes, read_up_to, created_at)
      SELECT user_id, ${into}::bigint, folder, title, max_delay_minutes, read_up_to, created_at FROM gone ORDER BY user_id
      ON CONFLICT (user_id, source_id) DO UPDATE
        SET folder = coalesce(kept.folder, excluded.folder), title = coalesce(kept.title, excluded.title),
          max_delay_minutes = coalesce(kept.max_delay_minutes, excluded.max_delay_minutes)
      RETURNING user_id AS id`);
    return rows.map(({ id }) => id);
  }

  /** The first source goes; every id that led to it leads to the second. */
  private async replace(db: Db, from: string, into: string): Promise<void> {
    await db.update(sourceAliases).set({ sourceId: into }).where(eq(sourceAliases.sourceId, from));
    const [source] = await db.delete(sources).where(eq(sources.id, from)).returning();
    if (source) await this.leaveAlias(db, source, into);
  }

  private async owner(db: Db, identity: SourceIdentity): Promise<string | undefined> {
    const [found] = await db.select({ id: sources.id }).from(sources).where(sameIdentity(sources, identity));
    return found?.id;
  }

  /** Somebody may make a source of that id at the same moment: then it is taken after all. */
  private async takeId(db: Db, sourceId: string, moved: SourceIdentity): Promise<string | undefined> {
    await db.execute(sql`SAVEPOINT rename`);
    try {
      await db.update(sources).set({ externalId: moved.externalId }).where(eq(sources.id, sourceId));
      return undefined;
    } catch (error) {
      if (!isTaken(error)) throw error;
      await db.execute(sql`ROLLBACK TO SAVEPOINT rename`);
      const owner = await this.owner(db, moved);
      if (!owner) throw new Error(`the source that took the id of source ${sourceId} has gone again`);
      return owner;
    }
  }

  private async leaveAlias(db: Db, { type, externalId }: SourceIdentity, sourceId: string): Promise<void> {
    await db.execute(sql`
      INSERT INTO ${sourceAliases} (type, external_id, source_id) VALUES (${type}, ${externalId}, ${sourceId})
      ON CONFLICT (type, md5(external_id)) DO UPDATE SET source_id = excluded.source_id`);
  }
}

const sameIdentity = (table: typeof sources | typeof sourceAliases, { type, externalId }: SourceIdentity) =>
  and(eq(table.type, type), sql`md5(${table.externalId}) = md5(${externalId})`);
