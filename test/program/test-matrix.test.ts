import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ROOT } from './millrace-process.js';

const { readCounts, table, totals } = await import(pathToFileURL(join(ROOT, 'scripts/matrix-combinations.mjs')).href);

describe('the report of the test matrix', () => {
  const ran = { name: 'redis', version: '8.0.2', passed: 71, failed: 1, skipped: 0 };
  const missing = { name: 'rabbitmq', version: '–', passed: 0, failed: 0, skipped: 1, reason: 'apt-get failed' };

  it('reads the last line of a run, and counts a run without one as failed', () => {
    expect(readCounts('1 passed, 2 failed, 3 skipped\nmore\n70 passed, 0 failed, 2 skipped\n')).toEqual({
      passed: 70,
      failed: 0,
      skipped: 2,
    });
    expect(readCounts('the build failed\n')).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(readCounts('')).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  it('counts a combination that cannot be had as one that was skipped', () => {
    expect(totals([ran, missing])).toEqual({ passed: 71, failed: 1, skipped: 1 });
  });

  it('shows a line for each combination', () => {
    expect(table([ran, missing]).split('\n')).toEqual([
      'combination  version  passed  failed  skipped',
      'redis        8.0.2    71      1       0',
      'rabbitmq     –        0       0       1',
    ]);
  });
});
