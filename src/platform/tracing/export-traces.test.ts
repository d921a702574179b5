import { expect, it } from 'vitest';
import { throttle, tracesAddress } from './export-traces.js';

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

it.each([
  ['http://collector:4318', 'http://collector:4318/v1/traces'],
  ['http://collector:4318/', 'http://collector:4318/v1/traces'],
  ['https://traces.example/otlp/', 'https://traces.example/otlp/v1/traces'],
])('sends the traces for %s to %s', (base, address) => {
  expect(tracesAddress(base)).toBe(address);
});
