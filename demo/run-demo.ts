import { resolve } from 'node:path';
import { z } from 'zod';
import { demoGuide } from './demo/demo-guide.js';
import { readVariables } from './platform/config.js';
import { StartupError } from './platform/errors/startup-error.js';
import { firstSignal } from './run-millrace.js';
import { startDemo } from './start-demo.js';

/** Below the folder from which the demo is started. */
const FOLDER = 'data-demo';
/** All that the demo takes from its environment. */
const CHOSEN = ['HOST', 'PORT', 'MILLRACE_LOG_LEVEL', 'MILLRACE_LOG_FORMAT'];
const Seed = z.coerce
  .number()
  .int()
  .min(0)
  .max(2 ** 32)
  .default(1);

/** From the command to the exit code, as `runMillrace`. */
export async function runDemo(): Promise<void> {
  const toldToStop = firstSignal();
  try {
    const { environment } = readVariables();
    const seed = seedOf(environment.MILLRACE_DEMO_SEED);
    const given = Object.fromEntries(CHOSEN.map((name) => [name, environment[name]]));
    // The world's failures are meant, and not news to whoever watches.
    const chosen = { ...given, MILLRACE_LOG_LEVEL: given.MILLRACE_LOG_LEVEL || 'error' };
    process.stdout.write('Starting the demo: a small world on this machine, and Millrace in it …\n');
    const demo = await startDemo({ dataDir: resolve(FOLDER), seed, chosen });
    process.stdout.write(demoGuide({ ...demo, seed, folder: FOLDER }));
    await toldToStop;
    process.stdout.write('Stopping …\n');
    await demo.stop();
    process.stdout.write('The demo has stopped.\n');
    process.exit(0);
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

function seedOf(given: string | undefined): number {
  const seed = Seed.safeParse(given || undefined);
  if (seed.success) return seed.data;
  throw new StartupError(`MILLRACE_DEMO_SEED: got ${JSON.stringify(given)}, accepted is a whole number such as 7`);
}
