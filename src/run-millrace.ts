import { setFlagsFromString } from 'node:v8';
import type { Type } from '@nestjs/common';
import { firstSignal } from './first-signal.js';
import { loadConfig, readFields } from './platform/config.js';
import { nameSourcesInStackTraces } from './platform/errors/stack-traces.js';
import { StartupError } from './platform/errors/startup-error.js';
import { createLog, type Log } from './platform/log/log.js';
import { redactText } from './platform/redact.js';

/** Exits with 0 after a clean stop, or with 1 if Millrace could not start. */
export async function runMillrace(features: Type[] = []): Promise<void> {
  const toldToStop = firstSignal();
  nameSourcesInStackTraces();
  try {
    const config = loadConfig();
    const log = createLog(config);
    reportOtherNames(log);
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

/** Says once which values come from variables of other programs, and which of these have no effect. */
function reportOtherNames(log: Log): void {
  const readings = readFields();
  const used = readings.flatMap(({ field, given }) => {
    const others =
      given?.variables.filter(({ name }) => field.others?.variables.some((one) => one.name === name)) ?? [];
    return others.length ? [[field.name, others.map(({ name }) => name)]] : [];
  });
  if (used.length)
    log.info(
      { event: 'configuration_of_other_programs', variables: Object.fromEntries(used) },
      'Some of the configuration was read from variables of other programs',
    );
  for (const { ignored } of readings)
    if (ignored) {
      const { names, because } = ignored;
      log.warn({ event: 'variables_ignored', variables: names }, `Variables are ignored, because ${because}`);
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
