import { resolve } from 'node:path';
import { z } from 'zod';
import { firstSignal } from '../src/first-signal.js';
import { readVariables } from '../src/platform/config.js';
import { StartupError } from '../src/platform/errors/startup-error.js';
import { demoGuide } from './demo-guide.js';
import { startDemo } from './start-demo.js';

/** The demo's data folder, below the folder from which the demo is started. */
const FOLDER = 'data-demo';
/** The only variables that the demo passes on to Millrace. It ignores a `.env` file. */
const PASSED_ON = ['HOST', 'PORT', 'RABBITMQ_URL', 'MILLRACE_LOG_LEVEL', 'MILLRACE_LOG_FORMAT'];
const Seed = z.coerce
  .number()
  .int()
  .min(0)
  .max(2 ** 32)
  .default(1);

/** Runs the demo from the command to the exit code, like `runMillrace`. */
export async function runDemo(): Promise<void> {
  const stopSignal = firstSignal();
  try {
    const { environment } = readVariables();
    const seed = seedOf(environment.MILLRACE_DEMO_SEED);
    const passedOn = Object.fromEntries(PASSED_ON.map((name) => [name, environment[name]]));
    // The demo fails on purpose in many places; its warnings would only distract.
    const variables = { ...passedOn, MILLRACE_LOG_LEVEL: passedOn.MILLRACE_LOG_LEVEL || 'error' };
    process.stdout.write('Starting the demo: made-up sites and platforms on this machine, and Millrace …\n');
    const demo = await startDemo({ dataDir: resolve(FOLDER), seed, variables });
    process.stdout.write(demoGuide({ ...demo, seed, folder: FOLDER }));
    await stopSignal;
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
  throw new StartupError(`MILLRACE_DEMO_SEED: expected a whole number such as 7, got ${JSON.stringify(given)}`);
}
