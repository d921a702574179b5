import { Injectable } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { ADVISORY_LOCKS } from '../../platform/database/advisory-locks.js';
import { Batcher } from '../../platform/database/batcher.js';
import { Database } from '../../platform/database/database.js';
import { PreparedQuery } from '../../platform/database/prepared-query.js';

const ID_BITS = 40;
const LOW_BITS = 32;

/**
 * Reads the last assigned id first, then the locks of the transactions that may still assign or commit smaller ones. A
 * transaction takes its lock before it assigns ids, and its effect is visible before the lock is released.
 */
const horizon = new PreparedQuery<{ id: string }>(sql`
  SELECT least(assigned.id, (
    SELECT min(((classid::bigint << ${sql.raw(String(LOW_BITS))}) | objid::bigint) & ${sql.raw(String(2n ** BigInt(ID_BITS) - 1n))})
    FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 1 AND assigned.id >= 0
      AND classid::bigint >> ${sql.raw(String(ID_BITS - LOW_BITS))} = ${sql.raw(String(ADVISORY_LOCKS.postIds))}
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))) AS id
  FROM (SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS id FROM posts_id_seq OFFSET 0) AS assigned`);

/** Ids are assigned before the commit, so a post may appear with a smaller id than others that can be seen already. */
@Injectable()
export class SafeHorizon {
  private readonly reads: Batcher<void, string>;

  constructor(database: Database) {
    this.reads = new Batcher(async (calls) => {
      const [found] = await horizon.run(database.pool, {});
      return calls.map(() => found?.id ?? '0');
    });
  }

  /** Queries that begin afterwards see every post, and every item id, up to this one that there will ever be. */
  current(): Promise<string> {
    return this.reads.call();
  }
}
