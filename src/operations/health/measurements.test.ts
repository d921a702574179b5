import { expect, it } from 'vitest';
import { countWorkers } from './measurements.js';

const there = (startedAt: number) => ({ isThere: true, startedAt: new Date(startedAt), lastSeenAt: new Date(100) });
const died = (lastSeenAt: number) => ({ isThere: false, startedAt: new Date(0), lastSeenAt: new Date(lastSeenAt) });

it.each([
  { what: 'all that are there', known: [there(1), there(2)], counts: [2, 2] },
  { what: 'those that died', known: [there(1), died(50)], counts: [1, 2] },
  { what: 'nobody that another has replaced since', known: [there(60), died(50)], counts: [1, 1] },
  { what: 'a replacement for one only', known: [there(60), died(50), died(40)], counts: [1, 2] },
  { what: 'those that died after the last had started', known: [there(45), died(50), died(40)], counts: [1, 2] },
  { what: 'nobody at first', known: [], counts: [0, 0] },
])('expects $what', ({ known, counts }) => {
  expect(Object.values(countWorkers(known))).toEqual(counts);
});
