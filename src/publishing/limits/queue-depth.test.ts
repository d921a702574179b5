import { expect, it } from 'vitest';
import { QueueDepth } from './queue-depth.js';

it('is small in the beginning', () => {
  expect(new QueueDepth().depthFor(0, 0)).toBe(20);
});

it('is what workers take in a second', () => {
  const depth = new QueueDepth();
  depth.handedOut(20, 0);
  expect(depth.depthFor(10, 100)).toBe(100);
  depth.handedOut(100, 100);
  expect(depth.depthFor(80, 600)).toBe(40);
});

it('grows as long as the queue runs empty', () => {
  const depth = new QueueDepth();
  const depths = [0, 1, 2, 3, 4, 5].map((second) => {
    const wanted = depth.depthFor(0, second * 1_000);
    depth.handedOut(wanted, second * 1_000);
    return wanted;
  });
  expect(depths).toEqual([20, 40, 80, 160, 320, 500]);
});

it('is small again where workers are slow', () => {
  const depth = new QueueDepth();
  depth.handedOut(200, 0);
  expect(depth.depthFor(194, 1_000)).toBe(20);
});
