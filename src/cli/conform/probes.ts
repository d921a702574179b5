import { duplicateDelivery } from './probes/duplicate-delivery.js';
import { expiredCommand } from './probes/expired-command.js';
import { goodCommand } from './probes/good-command.js';
import { malformedCommand } from './probes/malformed-command.js';
import { oversizedAnswer } from './probes/oversized-answer.js';
import { paging } from './probes/paging.js';
import { slowAnswer } from './probes/slow-answer.js';
import { unknownAccount } from './probes/unknown-account.js';
import { workerPresent } from './probes/worker-present.js';
import type { Probe } from './target.js';

/** Probes run in this order. Those that may harm a worker come last. */
export const PROBES: readonly Probe[] = [
  workerPresent,
  goodCommand,
  paging,
  unknownAccount,
  malformedCommand,
  expiredCommand,
  duplicateDelivery,
  oversizedAnswer,
  slowAnswer,
];
