import { expect, it } from 'vitest';
import { SlidingCounter } from './sliding-counter.js';

const at = (seconds: number) => 1_800_000_000_000 + seconds * 1_000;

it('counts what was sent to each host since a moment, a minute back at most', () => {
  const sent = new SlidingCounter();
  for (let second = 0; second < 100; second += 1) sent.note('a.example', at(second));
  sent.note('b.example', at(99));
  expect(sent.since('a.example', at(90), at(99))).toBe(10);
  expect(sent.since('a.example', at(0), at(99))).toBe(61);
  expect(sent.since('b.example', at(0), at(99))).toBe(1);
  expect(sent.since('c.example', at(0), at(99))).toBe(0);
});

it('forgets what is over, also where nothing came after it', () => {
  const sent = new SlidingCounter();
  sent.note('a.example', at(0));
  expect(sent.since('a.example', at(0), at(200))).toBe(0);
});

it('leaves out a request whose answer took longer than a minute', () => {
  const sent = new SlidingCounter();
  sent.note('a.example', at(61));
  sent.note('a.example', at(0));
  expect(sent.since('a.example', at(0), at(61))).toBe(1);
});
