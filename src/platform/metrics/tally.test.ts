import { Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { Tally } from './tally.js';

it('shows what a histogram of the same values shows', async () => {
  const buckets = [0.1, 1, 5];
  const registry = new Registry();
  const histogram = new Histogram({ name: 'took', help: 'x', labelNames: ['queue'], buckets, registers: [registry] });
  const tally = new Tally(buckets);
  for (const value of [0, 0.1, 0.5, 1, 1.5, 5, 6, 700]) {
    tally.add(value);
    histogram.observe({ queue: 'a' }, value);
  }
  const { values } = await histogram.get();
  const plain = (all: { metricName?: string; labels: object; value: number }[]) =>
    all.map(({ metricName, labels, value }) => ({ metricName, labels, value }));
  expect(plain(tally.shown('took', { queue: 'a' }))).toEqual(plain(values));
});

it('begins with 0 in every bucket', () => {
  expect(new Tally([1, 2]).shown('took', {}).map(({ value }) => value)).toEqual([0, 0, 0, 0, 0]);
});
