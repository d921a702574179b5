import 'reflect-metadata';
import { loadConfig } from './platform/config.js';
import { StartupError } from './platform/errors/startup-error.js';
import { createLog } from './platform/log/log.js';
import { startMillrace } from './start-millrace.js';

/** From the command to the exit code: 0 after a clean stop, 1 when it could not start or was told twice to stop. */
async function main(): Promise<void> {
  try {
    const config = loadConfig();
    const log = createLog(config);
    const millrace = await startMillrace(config, log);
    const signal = await firstSignal();
    log.info({ signal }, 'stopping');
    await millrace.stop();
    log.info('stopped');
    process.exit(0);
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** A second signal does not wait any longer. */
function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        resolve(signal);
        process.on(signal, () => process.exit(1));
      });
    }
  });
}

await main();
