import type { Type } from '@nestjs/common';
import { firstSignal } from './first-signal.js';
import { loadConfig } from './platform/config.js';
import { StartupError } from './platform/errors/startup-error.js';
import { createLog } from './platform/log/log.js';
import { redactText } from './platform/redact.js';

/** Exits with 0 after a clean stop, or with 1 if Millrace could not start. */
export async function runMillrace(features: Type[] = []): Promise<void> {
  const toldToStop = firstSignal();
  try {
    const config = loadConfig();
    const log = createLog(config);
    // The import comes after the configuration, so that errors in it are reported at once: loading takes seconds.
    const { startMillrace } = await import('./start-millrace.js');
    const millrace = await startMillrace({ config, log, features });
    const signal = await toldToStop;
    log.info({ event: 'stopping', signal }, 'Millrace is stopping');
    await millrace.stop();
    log.info({ event: 'stopped' }, 'Millrace has stopped');
    process.exit(0);
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    process.stderr.write(`${redactText(error.message)}\n`);
    process.exit(1);
  }
}
