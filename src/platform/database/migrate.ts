import { fileURLToPath } from 'node:url';
import { runMigrations as runQueueMigrations } from 'bullmq';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runOwnMigrations } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { StartupError } from '../errors/startup-error.js';
import { ADVISORY_LOCKS } from './advisory-locks.js';
import { exhaustedResource } from './exhausted.js';
import { lostConnection } from './lost-connection.js';

/**
 * BullMQ on PostgreSQL puts a job whose worker died behind all that waits; on Redis it comes first. With a long backlog
 * the difference is hours, so it comes first here too. Idempotent; to be run after BullMQ's own migrations.
 */
const STALLED_FIRST = `
CREATE OR REPLACE FUNCTION bullmq.millrace_stalled_first() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.seq := -abs(NEW.seq);
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER millrace_stalled_first BEFORE UPDATE OF stalled_count ON bullmq.job
  FOR EACH ROW WHEN (NEW.stalled_count > OLD.stalled_count) EXECUTE FUNCTION bullmq.millrace_stalled_first();
`;

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
