import { expect, it } from 'vitest';
import { addDelay, type DelayCounts, delayQuantile, sumOf } from './delay-histogram.js';

const countsOf = (...delays: number[]) => {
  const counts: DelayCounts = [];
  for (const delay of delays) addDelay(counts, delay);
  return counts;
};

it.each([3, 47, 600, 5_000, 86_400, 900_000])('finds a delay of %d seconds again, to an eighth', (seconds) => {
  const found = delayQuantile(countsOf(...Array<number>(100).fill(seconds)), 0.5) ?? 0;
  expect(Math.abs(found - seconds) / seconds).toBeLessThan(0.15);
});

it('tells the middle from the slowest', () => {
  const counts = countsOf(...Array<number>(90).fill(60), ...Array<number>(10).fill(7_200));
  expect(delayQuantile(counts, 0.5)).toBeLessThan(80);
  expect(delayQuantile(counts, 0.95)).toBeGreaterThan(6_000);
});

it('adds up what lies in several', () => {
  const halves = [countsOf(0, 60), countsOf(60, 100_000_000)];
  expect(sumOf(halves)).toEqual(countsOf(0, 60, 60, 100_000_000));
  expect(sumOf([])).toEqual([]);
});

it('is not known of nothing', () => {
  expect(delayQuantile([], 0.5)).toBeNull();
  expect(delayQuantile([0, 0], 0.5)).toBeNull();
});
