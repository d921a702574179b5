import { setFlagsFromString } from 'node:v8';
import type { Type } from '@nestjs/common';
import { firstSignal } from './first-signal.js';
import { loadConfig } from './platform/config.js';
import { nameSourcesInStackTraces } from './platform/errors/stack-traces.js';
import { StartupError } from './platform/errors/startup-error.js';
import { createLog } from './platform/log/log.js';
import { redactText } from './platform/redact.js';

/** Exits with 0 after a clean stop, or with 1 if Millrace could not start. */
export async function runMillrace(features: Type[] = []): Promise<void> {
  const toldToStop = firstSignal();
  nameSourcesInStackTraces();
  try {
    const config = loadConfig();
    const log = createLog(config);
    const allowNewSpaceToGrow = keepNewSpaceSmall();
    // The import comes after the configuration, so that errors in it are reported at once: loading takes seconds.
    const { startMillrace } = await import('./start-millrace.js');
    const millrace = await startMillrace({ config, log, features });
    allowNewSpaceToGrow();
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

/**
 * V8 enlarges the space for new objects when many of them survive, as the modules of a start do, and an idle process
 * would then keep 32 MB for nothing. Under load it still grows, because load comes after the start.
 */
function keepNewSpaceSmall(): () => void {
  setFlagsFromString('--semi-space-growth-factor=1');
  return () => setFlagsFromString('--semi-space-growth-factor=2');
}
