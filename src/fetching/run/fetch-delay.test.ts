import { expect, it } from 'vitest';
import { fetchDelaySeconds } from './fetch-delay.js';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const delay = (publishedAt: Date, dated = true) =>
  fetchDelaySeconds({ publishedAt, dated, foundAt: at(60), knownSince: at(10) });

it('is how long a post had been out when it was found', () => {
  expect(delay(at(20))).toBe(40);
});

it('is none of a post that is dated ahead', () => {
  expect(delay(at(90))).toBe(0);
});

it('is not told of a post that was out before its source was known', () => {
  expect(delay(at(10))).toBeUndefined();
});

it('is not told of a post without a time of its own, which has that of its discovery', () => {
  expect(delay(new Date(at(60).getTime() - 7), false)).toBeUndefined();
  expect(delay(new Date(at(60).getTime() - 7))).toBe(0.007);
});
