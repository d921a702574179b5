import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import pg from 'pg';

/** The database or a transaction on it: what a store function takes, so that it works in both. */
export type Db = PgDatabase<NodePgQueryResultHKT, Record<string, never>>;

export const DATABASE_URL = Symbol('database URL');
const POOL_SIZE = 10;

@Injectable()
export class Database implements OnApplicationShutdown {
  readonly pool: pg.Pool;
  readonly db: Db;

  constructor(@Inject(DATABASE_URL) readonly url: string) {
    this.pool = new pg.Pool({ connectionString: url, max: POOL_SIZE, application_name: 'millrace' });
    // A server that goes away drops idle connections; the pool replaces them on the next query.
    this.pool.on('error', () => undefined);
    this.db = drizzle(this.pool, { casing: 'snake_case' });
  }

  transaction<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.db.transaction(work);
  }

  async onApplicationShutdown() {
    await this.pool.end();
  }
}
