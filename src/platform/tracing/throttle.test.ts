import { expect, it } from 'vitest';
import { throttle } from './throttle.js';

it('tells the first, and the next one only after a while', () => {
  const told: number[] = [];
  let time = 0;
  const report = throttle<number>(
    100,
    (number) => told.push(number),
    () => time,
  );
  for (time = 0; time < 300; time += 30) report(time);
  expect(told).toEqual([0, 120, 240]);
});
