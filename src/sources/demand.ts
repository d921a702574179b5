import type { Db } from '../platform/database/database.js';

/** Told in the transaction that changes who follows what; returns what to do once it is committed. `fetching/` provides it. */
export abstract class Demand {
  /** Follows were added: counts them and puts the sources to work that are due because of it. */
  abstract followed(db: Db, userId: string, sourceIds: string[]): Promise<AfterCommit>;
  abstract unfollowed(db: Db, userId: string, sourceIds: string[]): Promise<void>;
  /** A follower has changed how fresh they wish a source to be. */
  abstract wished(db: Db, userId: string, sourceId: string): Promise<AfterCommit>;
  /** All follows of another source were moved to this one: counts anew who follows it. */
  abstract merged(db: Db, sourceId: string): Promise<AfterCommit>;
}

export type AfterCommit = () => Promise<void>;
