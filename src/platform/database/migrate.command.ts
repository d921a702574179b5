import { loadConfig } from '../config.js';
import { nameSourcesInStackTraces } from '../errors/stack-traces.js';
import { StartupError } from '../errors/startup-error.js';
import { createLog, type Log } from '../log/log.js';
import { startEmbeddedPostgres } from './embedded/start-embedded-postgres.js';
import { migrate } from './migrate.js';

nameSourcesInStackTraces();

// `npm run migrate` migrates the database without starting Millrace.
try {
  const config = loadConfig();
  const log = createLog(config);
  if (config.databaseUrl) await migrate(config.databaseUrl);
  else await migrateEmbedded(config.dataDir, log);
  log.info(
    { event: 'database_migrated' },
    `the database ${config.databaseUrl ? 'at DATABASE_URL' : `of ${config.dataDir}`} is up to date`,
  );
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function migrateEmbedded(dataDir: string, log: Log): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  try {
    await migrate(postgres.url);
  } finally {
    await (postgres.adopted ? postgres.leave() : postgres.stop());
  }
}
