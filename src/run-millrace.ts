import type { Type } from '@nestjs/common';
import { loadConfig } from './platform/config.js';
import { StartupError } from './platform/errors/startup-error.js';
import { createLog } from './platform/log/log.js';
import { redactText } from './platform/redact.js';

/** npm passes a Ctrl+C on that the terminal has already sent: what comes this soon is the same one. */
const SAME_SIGNAL_MS = 1_000;

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

/** Who asks a second time does not want to wait any longer. */
export function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const hear = (signal: NodeJS.Signals) => {
      firstAt ??= Date.now();
      if (Date.now() - firstAt > SAME_SIGNAL_MS) process.exit(1);
      resolve(signal);
    };
    process.on('SIGTERM', hear);
    process.on('SIGINT', hear);
  });
}
