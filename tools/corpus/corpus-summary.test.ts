import { expect, it } from 'vitest';
import { count, nothingYet, type Outcome } from './corpus-summary.js';

const outcome = (end: Outcome['end'], file: string): Outcome => ({
  end,
  line: { file, ok: end === 'read', error: end === 'read' ? null : 'why', result: null },
});

it('counts as late what took long in all, however it ended, and each document once', () => {
  const summary = nothingYet();
  count(summary, outcome('read', 'a'), 10);
  count(summary, outcome('read', 'b'), 2_500);
  count(summary, outcome('timed out', 'c'), 2_100);
  count(summary, outcome('timed out', 'd'), 1_999);
  count(summary, outcome('refused', 'e'), 20);
  count(summary, outcome('missing', 'f'), 0);
  count(summary, outcome('crashed', 'g'), 30);
  expect(summary).toEqual({
    read: 2,
    refused: 1,
    late: 3,
    missing: ['f: why'],
    crashed: ['g: why'],
    slowest: { file: 'b', milliseconds: 2_500 },
  });
});
