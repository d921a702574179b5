import 'reflect-metadata';
import { KillPoints } from '../../src/publishing/sending/kill-points.js';
import { pacing } from '../../src/publishing/sending/next-attempt.js';
import { settling } from '../../src/publishing/sending/open-call.js';
import { runMillrace } from '../../src/run-millrace.js';
import { readOrders, SuddenDeath } from '../publishing/sudden-death.js';

// The whole of Millrace, as src/main.ts runs it, which dies or stands still where its environment tells it to.
const { death, settlesInMs } = readOrders(process.env);
if (settlesInMs !== undefined) {
  // In the usual proportion.
  pacing.firstDelayMs *= settlesInMs / settling.usuallyMs;
  settling.usuallyMs = settlesInMs;
}
if (death) {
  const sudden = new SuddenDeath(death);
  KillPoints.atMoment = (moment, ids) => sudden.at(moment, ids);
}
await runMillrace();
