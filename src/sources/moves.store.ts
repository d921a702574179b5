import { Injectable } from '@nestjs/common';
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { Db } from '../platform/database/database.js';
import { Events } from '../platform/events/events.js';
import { Clock } from '../platform/time/clock.js';
import { type FetchState, fetchStates } from './fetch-states.table.js';
import { followersMoved } from './followers-moved.event.js';
import { follows } from './follows.table.js';
import { followsChanged } from './follows-changed.event.js';
import { SourcesStore } from './sources.store.js';
import { sources } from './sources.table.js';
import { isTaken } from './sql-error.js';

/** Beyond this many followers, one event reports all of them. */
const MAX_SINGLE_EVENTS = 1_000;

const RETIRED = {
  activeFollowers: 0,
  maxDelaySeconds: null,
  nextFetchAt: null,
  intervalSeconds: null,
  validators: {},
  gaps: [],
  failing: false,
  failingSince: null,
  waitsForWorker: false,
} satisfies Partial<FetchState>;

/** The target has just answered, so earlier failures must not delay its first fetch for the new followers. */
const ARRIVED_AT = {
  movedTo: null,
  movedAt: null,
  movedHere: true,
  goneAt: null,
  failures: 0,
  failingSince: null,
  failing: false,
} satisfies Partial<FetchState>;

interface MovedFollowers {
  targetId: string;
  /** Users who did not follow the target before. */
  newFollowers: string[];
}

/** Anybody can redirect to any address, so only followers move. Call inside the transaction of the fetch. */
@Injectable()
export class MovesStore {
  constructor(
    private readonly sources: SourcesStore,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  /**
   * The caller must count the target's active followers and give `newFollowers` its posts. Undefined: it is locked, and
   * waiting could deadlock.
   */
  async moveFollowers(db: Db, from: string, externalId: string): Promise<MovedFollowers | undefined> {
    const [source] = await db.select({ type: sources.type }).from(sources).where(eq(sources.id, from));
    if (!source || !(await this.sources.hold(db, [from])).has(from)) return undefined;
    const to = await this.sources.ensureOwn(db, { type: source.type, externalId });
    if (to === from || !(await this.sources.holdFree(db, to))) return undefined;
    const state = { ...RETIRED, movedTo: to, movedAt: this.clock.now(), demandEpoch: sql`demand_epoch + 1` };
    await db.update(fetchStates).set(ARRIVED_AT).where(eq(fetchStates.id, to));
    await db.update(fetchStates).set(state).where(eq(fetchStates.id, from));
    await db.update(fetchStates).set({ movedTo: to }).where(eq(fetchStates.movedTo, from));
    const added = await this.addFollows(db, from, to);
    await this.countFollowers(db, [from, to]);
    await this.report(
      db,
      added.map(({ id }) => id),
      { from, to },
    );
    return { targetId: to, newFollowers: added.filter(({ isNew }) => isNew).map(({ id }) => id) };
  }

  /** The caller must count its active followers. Returns false if it had not moved. */
  async revive(db: Db, id: string): Promise<boolean> {
    const revived = and(eq(fetchStates.id, id), isNotNull(fetchStates.movedTo));
    const { rowCount } = await db.update(fetchStates).set({ movedTo: null, movedAt: null }).where(revived);
    if (!rowCount) return false;
    await this.countFollowers(db, [id]);
    const followers = await db.select({ id: follows.userId }).from(follows).where(eq(follows.sourceId, id));
    await this.report(
      db,
      followers.map((follower) => follower.id),
      { from: id, to: id },
    );
    return true;
  }

  /** Another account may take the name, so the permanent id is used. `taken`: another source has it already. */
  async rename(db: Db, id: string, externalId: string): Promise<{ taken: boolean }> {
    await db.execute(sql`SAVEPOINT rename`);
    try {
      await db.update(sources).set({ externalId }).where(eq(sources.id, id));
      return { taken: false };
    } catch (error) {
      if (!isTaken(error)) throw error;
      await db.execute(sql`ROLLBACK TO SAVEPOINT rename`);
      return { taken: true };
    }
  }

  /** Users who follow both keep the follow of the target, with folder, title and delay of the other where it has none. */
  private async addFollows(db: Db, from: string, to: string): Promise<{ id: string; isNew: boolean }[]> {
    const { rows } = await db.execute<{ id: string; isNew: boolean }>(sql`
      INSERT INTO ${follows} AS kept (user_id, source_id, folder, title, max_delay_minutes, created_at)
      SELECT user_id, ${to}::bigint, folder, title, max_delay_minutes, ${this.clock.now().toISOString()}::timestamptz
      FROM ${follows} WHERE source_id = ${from} ORDER BY user_id
      ON CONFLICT (user_id, source_id) DO UPDATE
        SET folder = coalesce(kept.folder, excluded.folder), title = coalesce(kept.title, excluded.title),
          max_delay_minutes = coalesce(kept.max_delay_minutes, excluded.max_delay_minutes)
      RETURNING user_id AS id, xmax = 0 AS "isNew"`);
    return rows;
  }

  private async countFollowers(db: Db, ids: string[]): Promise<void> {
    await db.execute(sql`
      UPDATE ${sources} SET followers = (
        SELECT count(*) FROM ${follows} JOIN ${fetchStates} AS state ON state.id = source_id AND moved_to IS NULL
        WHERE source_id = ${sources.id})
      WHERE id = ANY(${sql.param(ids)}::bigint[])`);
  }

  private async report(db: Db, userIds: string[], moved: { from: string; to: string }): Promise<void> {
    if (userIds.length > MAX_SINGLE_EVENTS) return this.events.publish(db, followersMoved, moved);
    const changes = userIds.map((userId) => ({ userId }));
    await this.events.publishAll(db, followsChanged, changes);
  }
}
