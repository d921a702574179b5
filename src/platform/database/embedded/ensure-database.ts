import pg from 'pg';
import { StartupError } from '../../errors/startup-error.js';
import { type ClusterRecord, DATABASE, urlOf } from './cluster-record.js';

/** It takes no connections because it stops (or has not quite started), or it is gone by now. */
const GOING = ['57P03', '57P01', 'ECONNREFUSED', 'ECONNRESET'];
const isGoing = (error: unknown) => GOING.includes(String((error as { code?: unknown }).code));

/** Connects with the remembered password, which also proves that the server is ours. Fails with a StartupError, unless the server is just stopping. */
export async function ensureDatabase(record: ClusterRecord): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(record, 'postgres'), connectionTimeoutMillis: 10_000 });
  // Whoever waits for an answer is told as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } catch (error) {
    if (isGoing(error)) throw error;
    throw new StartupError(`cannot use the PostgreSQL on port ${record.port}: ${(error as Error).message}`);
  } finally {
    await client.end();
  }
}
