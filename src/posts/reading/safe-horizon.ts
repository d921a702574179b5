import { Injectable } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { ADVISORY_LOCKS } from '../../platform/database/advisory-locks.js';
import { Batcher } from '../../platform/database/batcher.js';
import { Database } from '../../platform/database/database.js';
import { PreparedQuery } from '../../platform/database/prepared-query.js';

const ID_BITS = 40;
const LOW_BITS = 32;

interface Horizon {
  /** Queries that begin afterwards see every post, and every item id, up to this one that there will ever be. */
  id: string;
  /** No id above it is assigned, so nothing is hidden by it. */
  isSettled: boolean;
}

/**
 * Reads the last assigned id first, then the locks of the transactions that may still assign or commit smaller ones. A
 * transaction takes its lock before it assigns ids, and its effect is visible before the lock is released.
 */
const reading = new PreparedQuery<Horizon>(sql`
  SELECT least(assigned.id, locked.id) AS id, coalesce(locked.id >= assigned.id, true) AS "isSettled"
  FROM (SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS id FROM posts_id_seq OFFSET 0) AS assigned
  CROSS JOIN LATERAL (
    SELECT min(((classid::bigint << ${constant(LOW_BITS)}) | objid::bigint) & ${constant(2n ** BigInt(ID_BITS) - 1n)}) AS id
    FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 1 AND assigned.id >= 0
      AND classid::bigint >> ${constant(ID_BITS - LOW_BITS)} = ${constant(ADVISORY_LOCKS.postIds)}
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  ) AS locked`);

function constant(value: number | bigint) {
  return sql.raw(String(value));
}

/** Ids are assigned before the commit, so a post may appear with a smaller id than others that can be seen already. */
@Injectable()
export class SafeHorizon {
  private readonly reads: Batcher<void, Horizon>;

  constructor(database: Database) {
    this.reads = new Batcher(async (calls) => {
      const [horizon] = await reading.run(database.pool, {});
      if (!horizon) throw new Error('an aggregate without a row');
      return calls.map(() => horizon);
    });
  }

  current(): Promise<Horizon> {
    return this.reads.call();
  }
}
