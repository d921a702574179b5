import { defineConfig } from 'vitest/config';
import { CountReporter } from './test/harness/count-reporter.js';
import { SlowFirst } from './test/harness/slow-first.js';

// Set by scripts/test.mjs.
const countsFile = process.env.TEST_COUNTS_FILE;

export default defineConfig(({ mode }) => ({
  test: {
    include:
      mode === 'faults'
        ? ['test/faults/**/*.test.ts']
        : ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/src/**/*.test.ts'],
    exclude: mode === 'faults' ? [] : ['test/faults/**'],
    globalSetup: ['test/harness/global-setup.ts'],
    setupFiles: ['reflect-metadata'],
    reporters: ['default', ...(countsFile ? [new CountReporter(countsFile)] : [])],
    testTimeout: mode === 'faults' ? 600_000 : 30_000,
    hookTimeout: 60_000,
    sequence: { sequencer: SlowFirst },
    pool: 'forks',
    // Most wait for servers, which want their share of two cores.
    maxWorkers: mode === 'faults' ? 1 : 3,
  },
}));
