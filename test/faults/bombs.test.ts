import { expect, it } from 'vitest';
import { MAX_STALL_MS, surviveBombs } from '../http/bombs.js';

it('no remote answer stalls the event loop for 100 ms', async () => {
  expect((await surviveBombs()).maxOwnStallMs).toBeLessThan(MAX_STALL_MS);
});
