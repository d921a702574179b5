import { expect, it } from 'vitest';
import { expressionParts } from './expression-parts.js';

it.each([
  ['up{job="millrace"} < 1', ['up{job="millrace"}']],
  ['a{x=~"b > c or d"} / sum(rate(b[5m] > 2)) >= 0.5', ['a{x=~"b > c or d"} / sum(rate(b[5m] > 2))']],
  ['max by (queue) (a) > 300 unless max by (queue) (b) > 0', ['max by (queue) (a)', 'max by (queue) (b)']],
  ['(sum(up) or vector(0)) == 0', ['(sum(up))']],
  ['sum(android_total)', ['sum(android_total)']],
])('finds what must return data in %s', (expression, parts) => {
  expect(expressionParts(expression)).toEqual(parts);
});
