import { fileURLToPath } from 'node:url';
import { runMigrations as runQueueMigrations } from 'bullmq';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runOwnMigrations } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { StartupError } from '../errors/startup-error.js';
import { ADVISORY_LOCKS } from './advisory-locks.js';
import { exhaustedResource } from './exhausted.js';
import { lostConnection } from './lost-connection.js';

// BullMQ on PostgreSQL puts a job whose worker died behind all waiting jobs, which may take hours; on Redis it comes
// first. The statements are idempotent and run after BullMQ's own migrations.
const STALLED_FIRST = `
CREATE OR REPLACE FUNCTION bullmq.millrace_stalled_first() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.seq := -abs(NEW.seq);
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER millrace_stalled_first BEFORE UPDATE OF stalled_count ON bullmq.job
  FOR EACH ROW WHEN (NEW.stalled_count > OLD.stalled_count) EXECUTE FUNCTION bullmq.millrace_stalled_first();
`;

export async function migrate(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'millrace-migrate' });
  // The pending call reports the error as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.migration]);
    await runOwnMigrations(drizzle(client), { migrationsFolder: migrationsFolder() });
    await runQueueMigrations(client);
    await client.query(STALLED_FIRST);
  } catch (error) {
    throw new StartupError(`cannot bring the database up to date: ${migrationError(error)}`);
  } finally {
    // A lost connection cannot be ended.
    await client.end().catch(() => undefined);
  }
}

/** Drizzle's message names the failed statement but not the reason. The statement matters only if it is the cause. */
function migrationError(error: unknown): string {
  const { message, cause } = error as Error;
  if (!(cause instanceof Error)) return message;
  const isServersFault = exhaustedResource(cause) ?? lostConnection(cause);
  return isServersFault ? cause.message : `${cause.message} (${message})`;
}

function migrationsFolder(): string {
  const here = import.meta.url;
  return fileURLToPath(new URL(here.includes('/dist/src/') ? '../../../../migrations' : '../../../migrations', here));
}
