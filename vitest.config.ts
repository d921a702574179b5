import { defineConfig } from 'vitest/config';
import { CountReporter } from './test/harness/count-reporter.js';
import { plainTests } from './test/harness/plain-tests.js';
import { SlowFirst } from './test/harness/slow-first.js';

// Set by scripts/test.mjs.
const countsFile = process.env.TEST_COUNTS_FILE;
const plain = plainTests(import.meta.dirname);
const PROJECTS = [
  { extends: true as const, test: { name: 'plain', include: plain, isolate: false } },
  {
    extends: true as const,
    test: {
      name: 'whole',
      include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/src/**/*.test.ts'],
      exclude: [...plain, 'test/faults/**'],
      globalSetup: ['test/harness/global-setup.ts'],
    },
  },
];
const FAULTS = {
  extends: true as const,
  test: { name: 'faults', include: ['test/faults/**/*.test.ts'], globalSetup: ['test/harness/global-setup.ts'] },
};

export default defineConfig(({ mode }) => ({
  test: {
    projects: mode === 'faults' ? [FAULTS] : PROJECTS,
    setupFiles: ['reflect-metadata'],
    reporters: ['default', ...(countsFile ? [new CountReporter(countsFile)] : [])],
    testTimeout: mode === 'faults' ? 600_000 : 30_000,
    hookTimeout: 60_000,
    sequence: { sequencer: SlowFirst },
    pool: 'forks',
    // Most wait for servers, which want their share of two cores.
    maxWorkers: mode === 'faults' ? 1 : 4,
  },
}));
