import { it } from 'vitest';
import { surviveBombs } from './bombs.js';

// The strict form is in test/faults: here other tests share the machine.
it('no remote answer ends the process, takes its memory or stalls it: each is an error of its reader', async () => {
  await surviveBombs();
}, 180_000);
