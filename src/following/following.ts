import { Injectable } from '@nestjs/common';
import { ActiveFollowers, type AfterCommit } from '../fetching/schedule/active-followers.js';
import { Database, type Db } from '../platform/database/database.js';
import { addBackfills, removeBackfills } from '../posts/reading/backfills.js';
import { ReadingChanges } from '../posts/reading/reading-changes.js';
import { type FollowDetails, FollowsStore, type NewFollow, saysAnything } from '../sources/follows.store.js';
import { keyOf, type SourceIds, SourcesStore } from '../sources/sources.store.js';
import type { SourceIdentity } from '../sources/sources.table.js';
import { isDeadlock } from '../sources/sql-error.js';

export interface RequestedFollow extends SourceIdentity, FollowDetails {}

interface Followed {
  sourceIds: SourceIds;
  newIds: string[];
}

/** One transaction locks this many sources at most. */
const BATCH_SIZE = 500;
const MAX_ATTEMPTS = 5;

/** Changes follows, counters and active followers and publishes the event in one transaction. */
@Injectable()
export class Following {
  constructor(
    private readonly database: Database,
    private readonly sources: SourcesStore,
    private readonly follows: FollowsStore,
    private readonly activeFollowers: ActiveFollowers,
    private readonly changes: ReadingChanges,
  ) {}

  /** Returns the source's id. If the user follows it already, the given folder, title and delay replace the old ones. */
  async follow(userId: string, wanted: RequestedFollow): Promise<string> {
    const { sourceIds, newIds } = await this.followSome(userId, [wanted]);
    const sourceId = idIn(sourceIds, wanted);
    if (!newIds.length && saysAnything(wanted)) await this.change(userId, sourceId, wanted);
    return sourceId;
  }

  /** Existing follows stay unchanged, so that a call can be repeated after a failure. */
  async followAll(userId: string, wanted: RequestedFollow[]): Promise<Followed> {
    const sourceIds: SourceIds = new Map();
    const newIds: string[] = [];
    for (let at = 0; at < wanted.length; at += BATCH_SIZE) {
      const some = await this.followSome(userId, wanted.slice(at, at + BATCH_SIZE));
      for (const [key, id] of some.sourceIds) sourceIds.set(key, id);
      newIds.push(...some.newIds);
    }
    return { sourceIds, newIds };
  }

  /** Returns false if the user does not follow the source. The id of a moved source means its target. */
  async unfollow(userId: string, id: string): Promise<boolean> {
    return this.inTransaction(userId, async (db) => {
      await this.follows.holdUser(db, userId);
      const sourceId = await this.holdCurrent(db, id);
      const gone = sourceId ? await this.follows.delete(db, userId, sourceId) : [];
      if (!sourceId || !gone.includes(sourceId)) return false;
      await this.sources.changeFollowers(db, [sourceId], -1);
      await removeBackfills(db, userId, gone);
      await this.activeFollowers.unfollowed(db, userId, [sourceId]);
      await this.changes.publishFollows(db, userId);
      return true;
    });
  }

  /** Returns false if the user does not follow the source. The id of a moved source means its target. */
  async change(userId: string, id: string, details: FollowDetails): Promise<boolean> {
    const { found, afterCommit } = await this.inTransaction(userId, async (db) => {
      const changesDelay = details.maxDelayMinutes !== undefined;
      if (changesDelay) await this.follows.holdUser(db, userId);
      const sourceId = changesDelay ? await this.holdCurrent(db, id) : await this.sources.current(db, id);
      if (!sourceId) return { found: false };
      const found = await this.follows.change(db, { userId, sourceId }, details);
      if (found) await this.changes.publishFollows(db, userId);
      return {
        found,
        afterCommit:
          found && changesDelay ? await this.activeFollowers.maxDelayChanged(db, userId, sourceId) : undefined,
      };
    });
    await afterCommit?.();
    return found;
  }

  /** Returns false if the user has no such folder. */
  renameFolder(userId: string, from: string, to: string): Promise<boolean> {
    return this.changeFolder(userId, (db) => this.follows.renameFolder(db, userId, { from, to }));
  }

  /** The sources of the folder stay followed. */
  removeFolder(userId: string, folder: string): Promise<boolean> {
    return this.changeFolder(userId, (db) => this.follows.removeFolder(db, userId, folder));
  }

  private changeFolder(userId: string, change: (db: Db) => Promise<boolean>): Promise<boolean> {
    return this.inTransaction(userId, async (db) => {
      const isChanged = await change(db);
      if (isChanged) await this.changes.publishFollows(db, userId);
      return isChanged;
    });
  }

  private async holdCurrent(db: Db, id: string): Promise<string | undefined> {
    const sourceId = await this.sources.current(db, id);
    if (sourceId && !(await this.sources.hold(db, [sourceId])).has(sourceId)) throw new SourceVanished();
    return sourceId;
  }

  private async inTransaction<T>(userId: string, work: (db: Db) => Promise<T>): Promise<T> {
    const result = await repeated(() => this.database.transaction(work));
    this.changes.changed(userId);
    return result;
  }

  private followSome(userId: string, wanted: RequestedFollow[]): Promise<Followed> {
    return repeated(async () => {
      // Sources are created in their own transaction, because one that holds sources may wait for this one.
      const sourceIds = await this.sources.ensure(this.database.db, wanted);
      const follows = wanted.map((one) => ({ ...one, sourceId: idIn(sourceIds, one) }));
      const { newIds, afterCommit } = await this.database.transaction((db) => this.store(db, userId, follows));
      if (newIds.length) this.changes.changed(userId);
      await afterCommit();
      return { sourceIds, newIds };
    });
  }

  private async store(
    db: Db,
    userId: string,
    follows: NewFollow[],
  ): Promise<Pick<Followed, 'newIds'> & { afterCommit: AfterCommit }> {
    await this.follows.holdUser(db, userId);
    const held = await this.sources.hold(db, [...new Set(follows.map(({ sourceId }) => sourceId))]);
    if (!follows.every(({ sourceId }) => held.has(sourceId))) throw new SourceVanished();
    const newIds = await this.follows.insert(db, userId, follows);
    if (!newIds.length) return { newIds, afterCommit: async () => undefined };
    await this.sources.changeFollowers(db, newIds, 1);
    await addBackfills(
      db,
      newIds.map((sourceId) => ({ userId, sourceId })),
    );
    const afterCommit = await this.activeFollowers.followed(db, userId, newIds);
    await this.changes.publishFollows(db, userId);
    return { newIds, afterCommit };
  }
}

/** The source has moved between lookup and lock, so the lookup is repeated. */
class SourceVanished extends Error {}

async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === MAX_ATTEMPTS || !(error instanceof SourceVanished || isDeadlock(error))) throw error;
    }
  }
}

function idIn(sourceIds: SourceIds, identity: SourceIdentity): string {
  const id = sourceIds.get(keyOf(identity));
  if (!id) throw new SourceVanished();
  return id;
}
