import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import { type PgDatabase, PgPreparedQuery } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { currentTracer } from '../tracing/traced.js';
import { traceQueries } from '../tracing/traced-queries.js';
import { createPool } from './pool.js';

const UNIQUE_VIOLATION = '23505';

/** The database or a transaction on it. Store functions take it and work in both. Transactions do not nest. */
export type Db = Omit<PgDatabase<NodePgQueryResultHKT, Record<string, never>>, 'transaction'> & {
  $client: Pick<pg.Pool, 'query'>;
};

export const DATABASE_URL = Symbol('database URL');
const POOL_SIZE = 10;
const CASING = 'snake_case';

// Drizzle's error contains the parameters of the statement, such as key hashes, which would reach logs.
// Without its cache, which is not used here, this method does nothing but wrap the error.
Object.defineProperty(PgPreparedQuery.prototype, 'queryWithCache', {
  value: (_statement: string, _parameters: unknown[], query: () => Promise<unknown>) => query(),
});

@Injectable()
export class Database implements OnApplicationShutdown {
  readonly pool: pg.Pool;
  readonly db: Db;
  private readonly onClient = new WeakMap<pg.PoolClient, Db>();

  constructor(@Inject(DATABASE_URL) readonly url: string) {
    this.pool = createPool({ connectionString: url, max: POOL_SIZE, application_name: 'millrace' });
    if (currentTracer()) traceQueries(this.pool);
    this.db = drizzle(this.pool, { casing: CASING });
  }

  /** Drizzle's own method never returns the connection if BEGIN fails, so each outage would cost one of the pool. */
  async transaction<T>(work: (db: Db, client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let broken = false;
    try {
      await client.query('BEGIN');
      const result = await work(this.on(client), client);
      // If `work` swallowed an error, the server answers COMMIT with ROLLBACK, without an error.
      const { command } = await client.query('COMMIT');
      if (command !== 'COMMIT') throw new Error('the transaction was rolled back: one of its statements had failed');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {
        broken = true;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  private on(client: pg.PoolClient): Db {
    const db = this.onClient.get(client) ?? drizzle(client, { casing: CASING });
    this.onClient.set(client, db);
    return db;
  }

  async onApplicationShutdown() {
    await this.pool.end();
  }
}

export function violates(error: unknown, index: string): boolean {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === index;
}
