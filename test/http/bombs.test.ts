import { it } from 'vitest';
import { surviveBombs } from './bombs.js';

// The strict form is in test/faults: here other tests share the machine.
it(
  'no remote answer ends the process or takes its memory: each is an error of who reads it',
  () => surviveBombs({ maxStallMs: 3_000 }),
  180_000,
);
