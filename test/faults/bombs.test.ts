import { it } from 'vitest';
import { surviveBombs } from '../http/bombs.js';

it('no remote answer holds up the event loop for 100 ms', () => surviveBombs({ maxStallMs: 100 }));
