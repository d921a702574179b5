import { defineConfig } from 'vitest/config';
import { CountReporter } from './test/harness/count-reporter.js';
import { SlowFirst } from './test/harness/slow-first.js';

// Set by scripts/test.mjs.
const countsFile = process.env.TEST_COUNTS_FILE;
/** The whole program in the process of the test, which must not have met jobs of other tests. */
const WHOLE_PROGRAM = 'src/start-millrace.test.ts';
const BESIDE_THE_SOURCES = ['src/**/*.test.ts', 'web/src/**/*.test.ts'];

const project = (name: string, test: { include: string[]; exclude?: string[]; isolate?: boolean }) => ({
  extends: true as const,
  test: { name, ...test },
});

export default defineConfig(({ mode }) => ({
  test: {
    projects:
      mode === 'faults'
        ? [project('faults', { include: ['test/faults/**/*.test.ts'] })]
        : [
            // A process runs many of them and loads the code once: half of the time would be loading otherwise.
            project('beside', { include: BESIDE_THE_SOURCES, exclude: [WHOLE_PROGRAM], isolate: false }),
            project('apart', { include: ['test/**/*.test.ts', WHOLE_PROGRAM], exclude: ['test/faults/**'] }),
          ],
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
