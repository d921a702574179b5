import { startEmbeddedPostgres } from '../../src/platform/database/embedded/start-embedded-postgres.js';
import { createLog } from '../../src/platform/log/log.js';

// Runs the embedded PostgreSQL of the given data folder until SIGTERM. SIGINT is only recorded.
const [, , dataDir = ''] = process.argv;
const log = createLog({ logLevel: 'trace', logFormat: 'json' });
const { url, adopted, stop } = await startEmbeddedPostgres({ dataDir, log });

const untilStopped = setInterval(() => undefined, 60_000);
process.on('SIGINT', () => log.info('interrupted'));
process.once('SIGTERM', async () => {
  await stop();
  clearInterval(untilStopped);
});
// This comes last, because its reader may send a signal at once.
process.send?.({ url, adopted });
