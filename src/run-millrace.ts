import type { Type } from '@nestjs/common';
import { firstSignal } from './first-signal.js';
import { loadConfig } from './platform/config.js';
import { StartupError } from './platform/errors/startup-error.js';
import { createLog } from './platform/log/log.js';
import { redactText } from './platform/redact.js';

/** From the command to the exit code: 0 after a clean stop, 1 when it could not start. `features` come on top. */
export async function runMillrace(features: Type[] = []): Promise<void> {
  const toldToStop = firstSignal();
  try {
    const config = loadConfig();
    const log = createLog(config);
    // Only now, so that a mistake in the configuration is told at once: the rest takes seconds to load.
    const { startMillrace } = await import('./start-millrace.js');
    const millrace = await startMillrace({ config, log, features });
    const signal = await toldToStop;
    log.info({ signal }, 'stopping');
    await millrace.stop();
    log.info('stopped');
    process.exit(0);
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    process.stderr.write(`${redactText(error.message)}\n`);
    process.exit(1);
  }
}
