import { it } from 'vitest';
import { surviveBombs } from './bombs.js';

// All bombs, and the strict form, are in test/faults: here other tests share the machine.
it('no remote answer ends the process, takes its memory or stalls it: each is an error of its reader', async () => {
  await surviveBombs({ isShort: true });
}, 180_000);
