import 'reflect-metadata';
import { testHooks } from '../../src/publishing/sending/test-hooks.js';
import { runMillrace } from '../../src/run-millrace.js';
import { readOrders, SuddenDeath } from '../publishing/sudden-death.js';

// The whole of Millrace, as src/main.ts runs it, which dies or stands still where its environment tells it to.
const { death, settlesInMs } = readOrders(process.env);
if (settlesInMs !== undefined) testHooks.settlesInMs = settlesInMs;
if (death) {
  const sudden = new SuddenDeath(death);
  testHooks.reach = (moment, ids = []) => sudden.at(moment, ids);
}
await runMillrace();
