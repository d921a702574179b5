import 'reflect-metadata';
import { testHooks } from '../../src/publishing/sending/test-hooks.js';
import { runMillrace } from '../../src/run-millrace.js';
import { readOrders, SuddenDeath } from '../publishing/sudden-death.js';

// Runs the program as src/main.ts does, but dies or freezes where its environment says.
const { death, settlesInMs } = readOrders(process.env);
if (settlesInMs !== undefined) testHooks.settlesInMs = settlesInMs;
if (death) {
  const sudden = new SuddenDeath(death);
  testHooks.reach = (moment, ids = []) => sudden.at(moment, ids);
}
await runMillrace();
