import { expect, it } from 'vitest';
import { runProgram } from '../harness/program.js';
import { printedSeed } from '../program/seeded-random.js';
import type { ShapesReport } from '../programs/read-answer-shapes.js';

const RANDOM_SHAPES = 200;

it('no shape of an answer ends the process: each is read to its end or fails with a reason', async () => {
  const report = await runProgram<ShapesReport>('read-answer-shapes', [String(printedSeed()), String(RANDOM_SHAPES)])
    .said;
  expect(report.wrong).toEqual([]);
  expect(report.shapes).toBeGreaterThan(RANDOM_SHAPES);
  const failed = Object.values(report.failed).reduce((sum, count) => sum + count, 0);
  expect(report.whole + failed).toBe(report.shapes);
  expect(report.failed).not.toHaveProperty('UNKNOWN');
  expect(report.peakGrowthMb).toBeLessThan(300);
}, 120_000);
