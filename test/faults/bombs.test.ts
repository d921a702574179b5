import { expect, it } from 'vitest';
import { surviveBombs } from '../http/bombs.js';

it('no remote answer stalls the event loop for 100 ms', async () => {
  expect((await surviveBombs()).maxStallMs).toBeLessThan(100);
});
