import { fileURLToPath } from 'node:url';
import { runMigrations as runQueueMigrations } from 'bullmq';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runOwnMigrations } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { StartupError } from '../errors/startup-error.js';
import { STALLED_FIRST } from '../queue/stalled-first.js';
import { ADVISORY_LOCKS } from './advisory-locks.js';
import { exhaustedResource } from './exhausted.js';
import { lostConnection } from './lost-connection.js';

/** Brings our tables and BullMQ's schema up to date, one process at a time. */
export async function migrate(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'millrace-migrate' });
  // Whoever waits for an answer is told as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.migration]);
    await runOwnMigrations(drizzle(client), { migrationsFolder: migrationsFolder() });
    await runQueueMigrations(client);
    await client.query(STALLED_FIRST);
  } catch (error) {
    throw new StartupError(`cannot bring the database up to date: ${inWords(error)}`);
  } finally {
    // A connection that is lost already has nothing to end.
    await client.end().catch(() => undefined);
  }
}

/** Drizzle tells which statement failed, and keeps why to itself. Which one it was matters only if that statement is to blame. */
function inWords(error: unknown): string {
  const { message, cause } = error as Error;
  if (!(cause instanceof Error)) return message;
  const isServersFault = exhaustedResource(cause) ?? lostConnection(cause);
  return isServersFault ? cause.message : `${cause.message} (${message})`;
}

/** The repository's `migrations/`, seen from `src/` and from `dist/src/` alike. */
function migrationsFolder(): string {
  const here = import.meta.url;
  return fileURLToPath(new URL(here.includes('/dist/src/') ? '../../../../migrations' : '../../../migrations', here));
}
